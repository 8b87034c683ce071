/** Our zod schemas as the OpenAPI document has them. */
import { z } from 'zod';
import type { ParameterObject, ResponseObject, Schema } from './api-document.ts';

/** What operations share, by name. */
export interface Parts {
  readonly schemas: Map<string, Schema>;
  readonly responses: Map<string, ResponseObject>;
}

/** Schemas with an ID become components, and are referred to. */
export function toSchema(schema: z.ZodType, parts: Parts): Schema {
  const whole = z.toJSONSchema(z.object({ it: schema }), {
    // Fields may be added to answers; a client must not fail for it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { $defs = {}, properties } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: Record<string, Schema>; properties: { it: Schema } };
  for (const [id, definition] of Object.entries($defs)) parts.schemas.set(id, definition);
  return properties.it;
}

export function parametersOf(
  place: ParameterObject['in'],
  schema: z.ZodObject | undefined,
): ParameterObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

/** Without its parameters. */
export function mediaType(type: string): string {
  return type.split(';', 1)[0] ?? type;
}
