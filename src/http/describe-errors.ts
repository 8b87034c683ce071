/** The errors that an endpoint may answer, as the OpenAPI document tells of them. */
import { z } from 'zod';
import type { ExampleObject, OperationObject, ResponseObject } from './api-document.ts';
import { JSON_TYPE } from './api-headers.ts';
import { EVERYWHERE, LIMIT_HEADERS, limitHeaders, optional, refsTo } from './describe-headers.ts';
import { mediaType, toSchema } from './describe-schema.ts';
import type { Parts } from './describe-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { errorStatus, errorText } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import type { Operation } from './operation.ts';
import { PER_ADDRESS_MAX } from './stream-places.ts';

/** SPEC 2.6. */
const errorSchema = z
  .object({ error: z.string().describe('Co jest nie tak, po polsku.') })
  .meta({ id: 'Error', description: 'Błąd. Nigdy nie jest wynikiem sprawdzenia.' });

/** Answered before anybody knows which endpoint is asked. */
const BEFORE_ROUTING: readonly ErrorCode[] = ['bad_request', 'request_timeout', 'request_head_too_large'];

/** The same for every endpoint. */
const COMMON: readonly ErrorCode[] = [...BEFORE_ROUTING, 'method_not_allowed', 'rate_limited', 'internal'];

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  400: 'Zły, powtórzony albo brakujący parametr, albo zapytanie, którego nie da się odczytać.',
  404: 'Nie ma takiego adresu albo takiej rzeczy, na przykład wpłaty o tym ID.',
  405: 'Metoda inna niż GET, HEAD i OPTIONS.',
  408: 'Zapytanie nie dotarło w całości na czas.',
  410: 'Tego już nie ma: zacznij od manifestu.',
  429: 'Limit wyczerpany. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
  431: 'Adres i nagłówki mają razem ponad 16 kB.',
  500: 'Błąd po stronie serwisu. To nie jest odpowiedź na pytanie.',
  503: 'Serwis chwilowo nie może odpowiedzieć. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
};

export function describeErrors(
  endpoint: Endpoint,
  baseUrl: string,
  parts: Parts,
): OperationObject['responses'] {
  const { limit, operation } = endpoint;
  const codes: ErrorCode[] = [
    ...(operation.errors ?? []),
    'method_not_allowed',
    ...(limit ? (['rate_limited'] as const) : []),
    'internal',
    ...BEFORE_ROUTING,
  ];
  const byStatus = Map.groupBy(codes, errorStatus);
  const responses = [...byStatus].map(([status, group]) => {
    // An answer given before routing knows no limit.
    const isEarly = group.every((code) => BEFORE_ROUTING.includes(code));
    const isMixed = !isEarly && group.some((code) => BEFORE_ROUTING.includes(code));
    const isLimited = limit !== undefined && !isEarly;
    const headers = {
      ...refsTo(EVERYWHERE),
      ...(isLimited ? (isMixed ? optional(LIMIT_HEADERS) : limitHeaders(endpoint)) : {}),
      ...(status === 429 || status === 503 ? refsTo(['Retry-After']) : {}),
      ...(status === 405 ? refsTo(['Allow']) : {}),
    };
    const examples = group.map((code) => [
      code,
      { value: { error: errorText(code, exampleValues(operation, baseUrl, code === 'invalid_header')) } },
    ]);
    const response: ResponseObject = {
      description: STATUS_MEANINGS[status] ?? '',
      headers,
      content: {
        [mediaType(JSON_TYPE)]: {
          schema: toSchema(errorSchema, parts),
          examples: Object.fromEntries(examples) as Record<string, ExampleObject>,
        },
      },
    };
    return [
      String(status),
      group.every((code) => COMMON.includes(code)) && !limit?.sparesLoopback
        ? shared(response, group, isLimited, parts)
        : response,
    ] as const;
  });
  return Object.fromEntries(responses);
}

/** What many operations answer alike stands in the document once. */
function shared(
  response: ResponseObject,
  codes: readonly ErrorCode[],
  isLimited: boolean,
  { responses }: Parts,
): { $ref: string } {
  const name = [...codes, ...(isLimited ? ['limited'] : [])].join('_');
  responses.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

/** What the placeholders of an error stand for in an example. */
function exampleValues(
  { query, path, headers }: Operation,
  baseUrl: string,
  ofHeader: boolean,
): Record<string, string | number> {
  const [parameter = ''] = Object.keys(
    ofHeader ? { ...headers?.shape } : { ...query?.shape, ...path?.shape },
  );
  return {
    parameter,
    allowed: ofHeader ? 'podaj w nim id ostatniego odebranego zdarzenia' : 'można go podać tylko raz',
    seconds: 23,
    most: PER_ADDRESS_MAX,
    manifest: `${baseUrl}/snapshots/manifest.json`,
  };
}
