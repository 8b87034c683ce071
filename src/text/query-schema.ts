/**
 * Query parameters as zod schemas, for the documentation. The parser is generated from them once, because zod itself
 * takes longer than many answers.
 */
import { z } from 'zod';
import { codePointLength, QueryReader } from './read-query.ts';
import type { Parsed, QueryPairs } from './read-query.ts';

/** Counts code points, as JSON Schema does. */
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

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * @param schema fields made by `textParameter`, `requiredText`, `z.enum` (required without a default), or `z.int`
 *   with bounds and a default
 * @throws {TypeError} for other fields
 */
export function createQueryParser<Schema extends z.ZodObject>(
  schema: Schema,
): (pairs: QueryPairs) => Parsed<Readonly<z.output<Schema>>> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, fieldReader(name, field as ParameterSchema, required.includes(name))] as const,
  );
  return (pairs) => {
    const reader = new QueryReader(pairs);
    const query: Record<string, unknown> = {};
    for (const [name, read] of fields) query[name] = read(reader);
    return reader.result(query as z.output<Schema>);
  };
}

function fieldReader(
  name: string,
  field: ParameterSchema,
  isRequired: boolean,
): (reader: QueryReader) => unknown {
  const { type, enum: choices, default: fallback, maxLength, minimum, maximum } = field;
  const [first, ...others] = choices ?? [];
  if (first !== undefined)
    return (reader) => reader.choice(name, [first, ...others], fallback as string | undefined);
  if (type === 'string' && maxLength !== undefined)
    return (reader) => reader.text(name, maxLength) ?? (isRequired ? '' : undefined);
  if (type === 'integer' && minimum !== undefined && maximum !== undefined && typeof fallback === 'number')
    return (reader) => reader.integer(name, minimum, maximum, fallback);
  throw new TypeError(`the parameter ${name} cannot be read: its schema is of no known kind`);
}
