import type { z } from 'zod';
import { shorten } from './shorten.ts';

/** Keys that a message names. */
const KEYS_MAX = 10;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

/** A number that a double cannot represent exactly. */
export class NumberAsWritten {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; ${EXPECTED[issue.expected] ?? issue.expected} is needed`
        : `must be ${EXPECTED[issue.expected] ?? issue.expected}, not ${describe(issue.input)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `unknown field ${issue.keys
        .slice(0, KEYS_MAX)
        .map((key) => JSON.stringify(shorten(key)))
        .join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array'
        ? `has too many items; at most ${issue.maximum} are allowed`
        : `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof NumberAsWritten) return shorten(value.text);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' ? String(value) : (EXPECTED[typeof value] ?? typeof value);
}
