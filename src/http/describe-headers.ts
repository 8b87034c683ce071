/** The headers of answers, as the OpenAPI document names them. */
import type { HeaderObject, ResponseObject } from './api-document.ts';
import { METHODS_ALLOWED } from './api-headers.ts';
import type { Endpoint } from './endpoint.ts';

const integerHeader = (description: string): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
});
const textHeader = (description: string, example?: string): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
});

export const HEADERS = {
  'Access-Control-Allow-Origin': textHeader('Zawsze `*`: można pytać z każdej strony.', '*'),
  'Access-Control-Expose-Headers': textHeader('Nagłówki, które skrypt na innej stronie może odczytać.'),
  'X-Content-Type-Options': textHeader('Zawsze `nosniff`.', 'nosniff'),
  'Cache-Control': textHeader('Jak długo wolno przechowywać odpowiedź.'),
  ETag: textHeader('Odcisk treści; odesłany w `If-None-Match` daje 304, dopóki nic się nie zmieni.'),
  Age: integerHeader('Ile sekund temu powstała odpowiedź; przy stanie usług: ile sekund temu je sprawdzono.'),
  Vary: textHeader('Od jakich nagłówków zapytania zależy postać odpowiedzi.'),
  'RateLimit-Limit': integerHeader('Ile zapytań na minutę przysługuje temu adresowi IP.'),
  'RateLimit-Remaining': integerHeader('Ile z nich zostało.'),
  'RateLimit-Reset': integerHeader('Za ile sekund limit się odnowi.'),
  'Retry-After': integerHeader('Za ile sekund spróbować ponownie.'),
  Allow: textHeader('Dozwolone metody.', METHODS_ALLOWED),
  'X-Accel-Buffering': textHeader('Zawsze `no`: pośrednik ma przekazywać zdarzenia od razu.', 'no'),
} as const;
export type HeaderName = keyof typeof HEADERS;

export const EVERYWHERE: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Cache-Control',
];
export const LIMIT_HEADERS: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

export function headersOfAnswer(endpoint: Endpoint): ResponseObject['headers'] {
  const names: HeaderName[] = [
    ...EVERYWHERE,
    endpoint.isStream ? 'X-Accel-Buffering' : 'ETag',
    ...(endpoint.isCacheable ? (['Age'] as const) : []),
    ...(endpoint.isCacheable || endpoint.hasForms ? (['Vary'] as const) : []),
  ];
  return { ...refsTo(names), ...limitHeaders(endpoint) };
}

/** Of an answer that is given when the endpoint is known. */
export function limitHeaders({ limit }: Endpoint): ResponseObject['headers'] {
  if (!limit) return {};
  return limit.sparesLoopback ? optional(LIMIT_HEADERS) : refsTo(LIMIT_HEADERS);
}

export function refsTo(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function optional(names: readonly HeaderName[]): Record<string, HeaderObject> {
  return Object.fromEntries(names.map((name) => [name, { ...HEADERS[name], required: false }]));
}
