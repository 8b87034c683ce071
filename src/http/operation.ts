/**
 * The documentation of an endpoint, part of the endpoint's definition. `/openapi.json` and most of `/docs` are made from
 * it. The texts are in Polish, for developers; `code` stands in backticks.
 */
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Groups of operations, in the order of the documentation. */
export const TAGS = {
  check: { name: 'Sprawdzanie', description: 'Czy ktoś zgłosił tę osobę albo ten serwer.' },
  lists: { name: 'Listy', description: 'Zgłoszone osoby, zgłoszone serwery i osoby zaufane.' },
  mirror: { name: 'Własna kopia', description: 'Całe listy do pobrania i zmiany na nich.' },
  status: { name: 'Stan usług', description: 'Jak działa serwis i jego boty.' },
  rest: { name: 'Pozostałe', description: 'Awatary, wpłaty, kanały Atom i ten opis.' },
} as const;

/** An answer of the demo; where that is made of times and hashes, one of its shape. */
export interface Example {
  /** Path and query that gives it. */
  readonly path: string;
  readonly value: unknown;
}

export interface Operation {
  /** In camel case; clients that are made from the document call it so. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** Named segments of the path. */
  readonly path?: z.ZodObject;
  /** Headers that the request may have. */
  readonly headers?: z.ZodObject;
  /** Schema of a 200. */
  readonly answer: {
    readonly description: string;
    /** By media type. */
    readonly content: Readonly<Record<string, z.ZodType>>;
  };
  /** Answers that the service gives or gave in this shape, by name. */
  readonly examples?: Readonly<Record<string, Example>>;
  /** Schema of a 503 that is an answer and no error. */
  readonly unready?: { readonly description: string; readonly schema: z.ZodType };
  /** Errors beside those that every endpoint has. */
  readonly errors?: readonly ErrorCode[];
}
