import { isCursorValid } from '#src/changes/change-log.ts';
import { eventsHeaderSchema, eventsQuerySchema, parseEventsQuery } from '#src/entries/list-changes.ts';
import { changeSchema } from '#src/entries/mirror-schema.ts';
import { MANIFEST_PATH } from '#src/entries/snapshots/manifest.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { EVENTS_TYPE, NO_SLOT_SECONDS, PER_ADDRESS_MAX } from '#src/http/change-streams.ts';

/** The changes as they come; without a place in the log it begins now. */
export const GET = endpoint({
  operation: {
    id: 'followChanges',
    tag: 'mirror',
    summary: 'Zmiany na listach w chwili, gdy zachodzą (server-sent events).',
    description:
      'Pole `data` to jeden element `changes` z `/api/changes`, `id` to kursor. Po zerwaniu wróć z `Last-Event-ID`. `EventSource` robi to sam i niczego nie gubi. Zdarzenia nie mają nazwy (`message`). Na początku przychodzi `retry` i samo `id`, od którego zaczynasz. Co 15 sekund przychodzi pusty komentarz. Gdy przez 45 sekund nie ma nic, połącz się ponownie. Połączenie klienta, który przez 30 sekund nic nie odbiera, zamykamy. Po ponownym połączeniu czyta dalej od tego samego miejsca. Z jednego adresu IP najwyżej 20 połączeń naraz; ponad to 503. Razem najwyżej 2000: gdy są zajęte, zamykamy najstarsze połączenie klienta, który ma ich najwięcej, a gdy nikt nie ma dwóch, nowe dostaje 503. Po odpowiedzi 410 zacznij od manifestu.',
    query: eventsQuerySchema,
    headers: eventsHeaderSchema,
    response: { description: 'Strumień zdarzeń, bez końca.', content: { [EVENTS_TYPE]: changeSchema } },
    errors: ['invalid_parameter', 'invalid_header', 'cursor_gone', 'streams_taken', 'overloaded'],
  },
  rateLimit: 'changes',
  cacheControl: 'none',
  isStream: true,
  parse: ({ query, lastEventId }) => parseEventsQuery(query, lastEventId),
  handle: (since, { db, baseUrl, changeStreams }, { client: address }) => {
    if (since && !isCursorValid(db, since))
      throw new ApiError('cursor_gone', { manifest: baseUrl + MANIFEST_PATH });
    const refusal = changeStreams.findRefusal(address);
    if (refusal) throw new ApiError(refusal, { most: PER_ADDRESS_MAX, seconds: NO_SLOT_SECONDS });
    return {
      body: '',
      contentType: EVENTS_TYPE,
      stream: (response) => changeStreams.open(response, address, since?.seq),
    };
  },
});
