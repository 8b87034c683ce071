/**
 * Query parameters as zod schemas, for the documentation. The parser is generated from them once, because zod itself
 * takes longer than many answers.
 */
import { z } from 'zod';
import { codePointLength, createReader, readQuery, type Parsed, type QueryPairs } from './read-query.ts';

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

/**
 * @param schema fields made by `textParameter`, `requiredText`, `z.enum` (required without a default), or `z.int`
 *   with bounds and a default
 */
export function createQueryParser<Schema extends z.ZodObject>(
  schema: Schema,
): (pairs: QueryPairs) => Parsed<Readonly<z.output<Schema>>> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const parameters = Object.entries(properties).map(
    ([name, field]) =>
      [
        name,
        createReader(name, field as Parameters<typeof createReader>[1], required.includes(name)),
      ] as const,
  );
  return (pairs) => readQuery(pairs, parameters) as Parsed<z.output<Schema>>;
}
