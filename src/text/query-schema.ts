/**
 * Query parameters described once: a zod schema says what is allowed, for the documentation, and the parser is made of
 * it when the module is loaded. Reading by zod itself would take longer than many an answer.
 */
import { z } from 'zod';
import { codePointLength, QueryReader } from './read-query.ts';
import type { Parsed, QueryPairs } from './read-query.ts';

/** A text of at most so many code points, which is how JSON Schema counts. */
export function textParameter(lengthMax: number): z.ZodOptional<z.ZodString> {
  return requiredText(lengthMax).optional();
}

/** The same that has to be there. It is read as '' when it is not: who asked for it knows how to refuse that. */
export function requiredText(lengthMax: number): z.ZodString {
  return z
    .string()
    .refine((text) => codePointLength(text) <= lengthMax)
    .meta({ maxLength: lengthMax });
}

/** Parameters can be texts, choices and whole numbers in a range. */
interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * @param schema fields made by `textParameter` or `requiredText`, `z.enum` (without a default it is required) and `z.int` with bounds and
 *   a default
 * @throws {TypeError} for a field of another kind
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
  if (first !== undefined && typeof fallback === 'string')
    return (reader) => reader.choice(name, [first, ...others], fallback);
  if (first !== undefined) return (reader) => reader.requiredChoice(name, [first, ...others]);
  if (type === 'string' && maxLength !== undefined)
    return (reader) => reader.text(name, maxLength) ?? (isRequired ? '' : undefined);
  if (type === 'integer' && minimum !== undefined && maximum !== undefined && typeof fallback === 'number')
    return (reader) => reader.integer(name, minimum, maximum, fallback);
  throw new TypeError(`the parameter ${name} cannot be read: its schema is of no known kind`);
}
