/** The sentences of SPEC section 7 stand word by word in the tests of the endpoints that say them. */
import { expect, it } from 'vitest';
import { errorText } from '#src/http/errors.ts';
import { errorResult } from '#src/http/http-result.ts';

it('takes values as they are, even when they look like placeholders or like JSON', () => {
  const text = errorText('invalid_parameter', { parameter: '{allowed}', allowed: '$& {parameter} $1' });
  expect(text).toBe('Nieprawidłowy parametr {allowed}: $& {parameter} $1.');
  const allowed = '"\n\u2028\\';
  const { body } = errorResult('invalid_parameter', { parameter: 'p', allowed });
  expect(JSON.parse(String(body))).toEqual({ error: `Nieprawidłowy parametr p: ${allowed}.` });
});
