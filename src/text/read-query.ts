/**
 * Reads query parameters: empty means absent, outer white space is trimmed, lengths count code points, repeated
 * parameters are refused. The API answers the first problem with 400; pages use the fallback and show a notice. zod
 * documents the parameters; readers are made of its schema once, because zod takes longer than many answers.
 */
import { z } from 'zod';

export type QueryPairs = Iterable<readonly [name: string, value: string]>;

export interface QueryProblem {
  readonly parameter: string;
  readonly isHeader?: true;
  /** As it was sent, cut. */
  readonly raw: string;
  readonly allowed: string;
}

export interface Parsed<Query> {
  /** Has the default in place of every bad value. */
  readonly query: Query;
  readonly problems: readonly QueryProblem[];
}

/** Reads one value; `allowed` is set when it is refused. */
type ReadParameter = (raw: string | undefined) => readonly [value: unknown, allowed?: string];

const SHOWN_MAX = 60;

export function textParameter(lengthMax: number): z.ZodOptional<z.ZodString> {
  return requiredText(lengthMax).optional();
}

/** A missing value is read as ''; the caller refuses it. */
export function requiredText(lengthMax: number): z.ZodString {
  return z
    .string()
    .refine((text) => codePointLength(text) <= lengthMax)
    .meta({ maxLength: lengthMax });
}

/** @param schema fields of `textParameter`, `requiredText`, `z.enum`, or `z.int` with bounds and a default */
export function createQueryParser<Schema extends z.ZodObject>(
  schema: Schema,
): (pairs: QueryPairs) => Parsed<Readonly<z.output<Schema>>> {
  const { properties = {}, required = [], $defs = {} } = z.toJSONSchema(schema, { io: 'input' });
  const parameters = Object.entries(properties).map(([name, property]) => {
    const field = property as z.core.JSONSchema.Schema;
    const named = $defs[field.$ref?.split('/').at(-1) ?? ''];
    return [name, createReader(name, { ...named, ...field }, required.includes(name))] as const;
  });
  return (pairs) => {
    const all = [...pairs];
    const query: Record<string, unknown> = {};
    const problems: QueryProblem[] = [];
    for (const [name, read] of parameters) {
      const values = all.filter(([key]) => key === name).map(([, value]) => value);
      const isRepeated = values.length > 1;
      const raw = isRepeated ? undefined : values[0]?.trim() || undefined;
      const [value, refused] = read(raw);
      query[name] = value;
      const allowed = isRepeated ? 'można go podać tylko raz' : refused;
      if (allowed === undefined) continue;
      const shown = isRepeated ? values.join(', ') : (raw ?? '');
      const cut = [...shown.slice(0, 4 * SHOWN_MAX)].slice(0, SHOWN_MAX).join('');
      problems.push({ parameter: name, raw: cut, allowed });
    }
    return { query: query as z.output<Schema>, problems };
  };
}

function createReader(name: string, schema: z.core.JSONSchema.Schema, isRequired: boolean): ReadParameter {
  const { type, enum: choices, default: fallback, maxLength, minimum, maximum } = schema;
  if (choices)
    return (raw) => {
      if (raw !== undefined && choices.includes(raw)) return [raw];
      if (raw === undefined && fallback !== undefined) return [fallback];
      return [fallback ?? choices[0], `dozwolone wartości to ${choices.join(', ')}`];
    };
  if (type === 'string' && maxLength !== undefined)
    return (raw) => {
      const missing = isRequired ? '' : undefined;
      // A code point takes one or two units.
      if (raw === undefined || raw.length <= maxLength) return [raw ?? missing];
      const length = codePointLength(raw);
      if (length <= maxLength) return [raw];
      return [missing, `najwyżej ${maxLength} ${charactersOf(maxLength)} (podano ${length})`];
    };
  if (type === 'integer' && minimum !== undefined && maximum !== undefined)
    return (raw) => {
      if (raw === undefined) return [fallback];
      const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
      if (value >= minimum && value <= maximum) return [value];
      return [fallback, `liczba całkowita od ${minimum} do ${maximum}`];
    };
  throw new TypeError(`the parameter ${name} cannot be read: its schema is of no known kind`);
}

function charactersOf(count: number): string {
  return new Intl.PluralRules('pl').select(count) === 'few' ? 'znaki' : 'znaków';
}

export function codePointLength(text: string): number {
  return [...text].length;
}
