/** What the check page shows for its address. */
import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import type { Entry, EntrySummary, ListKind } from '#src/entries/entry.ts';
import { SEARCH_MAX } from '#src/entries/list-query.ts';
import { readSummary } from '#src/serving/ready-entry.ts';
import { toSummary } from '#src/entries/to-summary.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';
import type { Asker } from '#src/serving/search-pool.ts';
import type { Serving } from '#src/serving/serving.ts';
import { foldText } from '#src/text/fold-text.ts';
import { codePointLength } from '#src/text/read-query.ts';
import type { NameParts } from '../components/name-parts.ts';
import { splitName } from '../components/name-parts.ts';
import { roleOf, strongestRole } from '../components/role.ts';
import type { Role } from '../components/role.ts';
import { readSubject } from '../components/subject.ts';
import { ANSWER, badCheckValue, CHECK, ERRORS, NICK_ANSWER } from '../components/texts.ts';

/** What of an over-long search is put back into the field. */
const KEPT_MAX = 300;

export interface CheckView {
  /** What stands in the field. */
  readonly asked: string;
  readonly error?: string;
  readonly invalid?: boolean;
  readonly notice?: string | undefined;
  readonly answer?: IdAnswer | NickAnswer;
  /** Set when nobody could look just now: when it is worth asking again. */
  readonly retrySeconds?: number;
}

export interface IdAnswer {
  readonly by: 'id';
  readonly title: string;
  readonly id: string;
  readonly entry: Entry | undefined;
  readonly others: readonly EntrySummary[];
}

export interface NickAnswer {
  readonly by: 'nick';
  readonly title: string;
  readonly search: string;
  readonly role: Role;
  readonly hits: readonly { readonly entry: EntrySummary; readonly parts: NameParts | undefined }[];
  readonly cutLists: readonly ListKind[];
}

export async function readCheck(
  parameters: URLSearchParams,
  serving: Serving,
  asker: Asker,
): Promise<CheckView> {
  const { query, problems } = parseCheckQuery(parameters);
  const typed = (query.id ?? parameters.get('search') ?? '').trim();
  const [problem] = problems;
  if (problem) {
    const length = codePointLength(typed);
    const error =
      problem.parameter === 'search' && length > SEARCH_MAX
        ? CHECK.tooLong(SEARCH_MAX, length)
        : badCheckValue(problem.given, problem.parameter);
    return { asked: [...typed].slice(0, KEPT_MAX).join(''), error, invalid: true };
  }
  if (query.id !== undefined) return { asked: typed, answer: answerById(serving, query.id) };
  if (query.search === undefined) {
    return parameters.has('search') ? { asked: '', error: CHECK.empty, invalid: true } : { asked: '' };
  }
  const subject = readSubject(query.search);
  if (subject.kind === 'id') return { asked: typed, answer: answerById(serving, subject.id) };
  const notice =
    subject.doubt === 'invite'
      ? CHECK.invite
      : subject.doubt === 'id_length'
        ? CHECK.idLength(subject.search.replace(/\s/g, '').length)
        : undefined;
  try {
    return { asked: typed, notice, answer: await answerByNick(serving, subject.search, asker) };
  } catch (error) {
    if (!(error instanceof OverloadedError)) throw error;
    const { seconds } = error;
    return { asked: typed, error: ERRORS.overloaded(String(seconds)), retrySeconds: seconds };
  }
}

function answerById(serving: Serving, id: string): IdAnswer {
  const results = toCheckResults(serving.findEntriesById(id), ({ list }) => list);
  const [entry, ...others] = fromStrongest(results.flatMap(({ found }) => found));
  const title = ANSWER.title(entry ? roleOf(entry) : 'none', entry?.list);
  return { by: 'id', title, id, entry, others: others.map(toSummary) };
}

async function answerByNick(serving: Serving, search: string, asker: Asker): Promise<IdAnswer | NickAnswer> {
  const results = await serving.checkNick(search, 'summary', asker);
  const entries = results.flatMap(({ found }) => found.map(readSummary));
  // Lists may hold IDs that do not look like the platform's; one that was typed exactly decides.
  if (entries.some((entry) => entry.id === search)) return answerById(serving, search);
  const folded = foldText(search);
  const same = entries.filter((entry) => foldText(entry.name) === folded);
  const role = strongestRole(same.length > 0 ? same : entries);
  return {
    by: 'nick',
    title: nickTitle(role, same, entries.length),
    search,
    role,
    hits: fromStrongest(entries, (entry) => same.includes(entry)).map((entry) => ({
      entry,
      parts: splitName(entry.name, folded, foldText),
    })),
    cutLists: results.filter(({ hasMore }) => hasMore).map(({ kind }) => kind),
  };
}

function nickTitle(role: Role, same: readonly EntrySummary[], count: number): string {
  if (count === 0) return NICK_ANSWER.none;
  if (same.length === 0) return NICK_ANSWER.similar(count);
  return NICK_ANSWER.same(role, same.filter((entry) => roleOf(entry) === role).length);
}

const PLACES: Readonly<Record<Role, number>> = { stop: 0, warn: 1, good: 2, none: 3 };

/** Entries that are `near` first, then by role; otherwise in the order that the check gave. */
function fromStrongest<Shown extends Pick<EntrySummary, 'list' | 'verified'>>(
  entries: readonly Shown[],
  near: (entry: Shown) => boolean = () => false,
): Shown[] {
  return entries.toSorted(
    (one, other) => Number(near(other)) - Number(near(one)) || PLACES[roleOf(one)] - PLACES[roleOf(other)],
  );
}
