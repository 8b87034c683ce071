/** zod documents the parameters; a parser is generated once, because zod takes longer than many answers. */
import { z } from 'zod';
import { codePointLength, createReader, readQuery, type Parsed, type QueryPairs } from './read-query.ts';

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
