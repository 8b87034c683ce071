/** The sentences of SPEC section 7 stand word by word in the tests of the endpoints that say them. */
import { describe, expect, it } from 'vitest';
import { ApiError, errorBody, errorText } from '#src/http/errors.ts';

describe('errors', () => {
  it('name the bound of a request head as the server has it', () => {
    expect(errorText('request_head_too_large')).toContain('16 kB');
  });

  it('take values as they are, even when they look like placeholders', () => {
    const text = errorText('invalid_parameter', { parameter: '{allowed}', allowed: '$& {parameter} $1' });
    expect(text).toBe('Nieprawidłowy parametr {allowed}: $& {parameter} $1.');
    expect(errorText('rate_limited')).toBe('Za dużo zapytań. Spróbuj ponownie za  s.');
  });

  it('write quotes and line breaks of a value as JSON', () => {
    const allowed = '"\n\u2028\\';
    const body = errorBody('invalid_parameter', { parameter: 'p', allowed });
    expect(JSON.parse(body)).toEqual({ error: `Nieprawidłowy parametr p: ${allowed}.` });
  });

  it('are thrown with a code and values, and without a sentence', () => {
    const error = new ApiError('rate_limited', { seconds: 3 });
    expect(error).toMatchObject({ name: 'ApiError', code: 'rate_limited', values: { seconds: 3 } });
    expect(error.message).not.toContain('Spróbuj');
  });
});
