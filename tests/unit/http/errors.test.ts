import { describe, expect, it } from 'vitest';
import { ApiError, errorBody, errorStatus, errorText } from '#src/http/errors.ts';
import type { ErrorCode } from '#src/http/errors.ts';

/** SPEC section 7 word by word; and the statuses that it leaves open. */
const SENTENCES: readonly (readonly [ErrorCode, number, string])[] = [
  ['method_not_allowed', 405, 'Metoda niedozwolona'],
  ['rate_limited', 429, 'Za dużo zapytań. Spróbuj ponownie za 17 s.'],
  ['overloaded', 503, 'Serwis jest przeciążony. Spróbuj ponownie za 17 s.'],
  ['internal', 500, 'Błąd podczas pobierania danych.'],
  ['donation_id_invalid', 400, 'Nieprawidłowe ID płatności'],
  ['not_found', 404, 'Nie znaleziono'],
  ['check_without_subject', 400, 'Podaj nick albo ID.'],
  ['invalid_parameter', 400, 'Nieprawidłowy parametr limit: liczba całkowita od 1 do 60.'],
];

const VALUES = { seconds: 17, parameter: 'limit', allowed: 'liczba całkowita od 1 do 60' };

describe('errors', () => {
  it.each(SENTENCES)('7 %s is status %i and says "%s"', (code, status, text) => {
    expect(errorStatus(code)).toBe(status);
    expect(errorText(code, VALUES)).toBe(text);
    expect(JSON.parse(errorBody(code, VALUES))).toEqual({ error: text });
  });

  it.each([
    ['bad_request', 400],
    ['request_timeout', 408],
    ['request_head_too_large', 431],
  ] as const)('%s is status %i and has a sentence of its own', (code, status) => {
    expect(errorStatus(code)).toBe(status);
    expect(errorText(code)).toMatch(/^\p{Lu}[^{}]+\.$/u);
  });

  it('names the bound of a request head as the server has it', () => {
    expect(errorText('request_head_too_large')).toContain('16 kB');
  });

  it('takes values as they are, even when they look like placeholders', () => {
    const text = errorText('invalid_parameter', { parameter: '{allowed}', allowed: '$& {parameter} $1' });
    expect(text).toBe('Nieprawidłowy parametr {allowed}: $& {parameter} $1.');
  });

  it('writes quotes and line breaks of a value as JSON', () => {
    const allowed = '"\n\u2028\\';
    const body = errorBody('invalid_parameter', { parameter: 'p', allowed });
    expect(JSON.parse(body)).toEqual({ error: `Nieprawidłowy parametr p: ${allowed}.` });
  });

  it('leaves out what it was not told', () => {
    expect(errorText('rate_limited')).toBe('Za dużo zapytań. Spróbuj ponownie za  s.');
  });
});

describe('ApiError', () => {
  it('is an error with a code and values, and no sentence of its own', () => {
    const error = new ApiError('rate_limited', { seconds: 3 });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'ApiError', code: 'rate_limited', values: { seconds: 3 } });
    expect(new ApiError('internal').values).toEqual({});
  });
});
