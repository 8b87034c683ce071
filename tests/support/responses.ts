import type { z } from 'zod';
import type { checkResponseSchema } from '#src/entries/check.ts';
import type { listResponseSchema } from '#src/entries/entry-schema.ts';

export type ListResponse = Readonly<z.infer<typeof listResponseSchema>>;
export type CheckResponse = Readonly<z.infer<typeof checkResponseSchema>>;
