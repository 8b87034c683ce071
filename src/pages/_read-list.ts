/** This reads everything that a list page shows for its URL. */
import { summarizeProofs } from '#src/proofs/list-public-proofs.ts';
import { findStronger } from './_find-stronger.ts';
import { answerCard } from './_link-cards.ts';
import { readLikeness } from './_read-likeness.ts';
import { leaveOutTrusted } from '#src/entries/check-entries.ts';
import type { EntrySummary, ListKind } from '#src/entries/entry.ts';
import { formerNamesOf } from '#src/entries/former-names.ts';
import { parseListQuery, SEARCH_MAX, SKIP_MAX } from '#src/entries/list-query.ts';
import { type Requester, OverloadedError } from '#src/turns/fair-queue.ts';
import { LISTS_CACHE, NO_STORE } from '#src/http/response-headers.ts';
import { checkPath, feedPath, listPath } from '#src/paths.ts';
import type { ListPage as ServedPage } from '#src/lists/lists.ts';
import type { Services } from '#src/services.ts';
import { codePointLength, type QueryProblem } from '#src/text/read-query.ts';
import { listJsonHref, listParameters } from '../components/list/list-links.ts';
import type { IdAnswer } from '../components/check/answer.ts';
import type { ListView } from '../components/list/list-page.ts';
import { roleOf } from '../components/ui/role.ts';
import { ANSWER } from '../components/check/answer-texts.ts';
import { badValues, FEEDS, LISTS, tooLongSearch } from '../components/list/lists-texts.ts';

export async function readList(
  parameters: URLSearchParams,
  list: ListKind,
  services: Services,
  requester: Requester,
): Promise<ListView> {
  const { query, problems } = parseListQuery(parameters);
  let page: Pick<ServedPage, 'entries' | 'total'> = { entries: [], total: 0 };
  let retrySeconds: number | undefined;
  try {
    page = await services.lists.listSummaries(list, query, requester);
  } catch (error) {
    if (error instanceof OverloadedError) retrySeconds = error.retryAfterSeconds;
    // The client has gone and aborted the search, so this answer is not read.
    else if (requester.signal.aborted) retrySeconds = 1;
    else throw error;
  }
  const { entries, total } = page;
  const [entry] = entries;
  const one = query.id !== undefined && entry ? await readOne(entry, services) : undefined;
  const title = one?.title ?? LISTS.title[list];
  const description = LISTS.lead[list];
  const head = {
    title,
    description,
    // The check's page shows the same answer.
    address: one ? checkPath(one.id) : listPath(list, listParameters(query)),
    card: one && answerCard(one, Date.now()),
    feed: { title: FEEDS.title(list), path: feedPath(list) },
    // A nick without an ID in a search engine would harm namesakes of the reported.
    noindex: list !== 'legit' || query.search !== undefined || query.id !== undefined,
  };
  return {
    head,
    list,
    query,
    notice: noticeOf(problems, parameters),
    entries,
    strongerOf: findStronger(services.lists, entries),
    total,
    skipMax: SKIP_MAX,
    retrySeconds,
    one,
  };
}

/** Status and caching of a list page, and the link to its JSON. */
export function setListHead(
  response: { status?: number; readonly headers: Headers },
  { retrySeconds, list, query }: Pick<ListView, 'retrySeconds' | 'list' | 'query'>,
): void {
  const twin = listJsonHref(list, query);
  response.headers.set('Link', `<${twin}>; rel="alternate"; type="application/json"`);
  response.headers.set('Cache-Control', retrySeconds === undefined ? LISTS_CACHE : NO_STORE);
  if (retrySeconds === undefined) return;
  response.status = 503;
  response.headers.set('Retry-After', String(retrySeconds));
}

/** A trusted person who was reported is shown as reported: the page for one ID is a verdict. */
async function readOne({ _id, id }: EntrySummary, { lists, db }: Services): Promise<IdAnswer | undefined> {
  const entries = lists.findEntriesById(id);
  const found = leaveOutTrusted(entries, ({ list }) => list);
  // Removed a moment ago: the list still says so below.
  const [shown] = [...found.filter((other) => other._id === _id), ...found];
  if (!shown) return undefined;
  return {
    by: 'id',
    title: ANSWER.title(roleOf(shown), shown.list),
    id: shown.id,
    entry: shown,
    formerNames: formerNamesOf(db, shown._id),
    others: found.filter((other) => other !== shown),
    leavesOutTrusted: found.length < entries.length,
    isAccount: false,
    proofsSummary: summarizeProofs(db, shown.proofsId),
    likeness: readLikeness(lists, shown.name, id, []),
  };
}

/** The parts of the address that could not be used, in few words. */
function noticeOf(problems: readonly QueryProblem[], parameters: URLSearchParams): string | undefined {
  const length = codePointLength(parameters.get('search')?.trim() ?? '');
  const isTooLong = ({ parameter }: QueryProblem): boolean => parameter === 'search' && length > SEARCH_MAX;
  const isTooFar = ({ parameter, given }: QueryProblem): boolean =>
    parameter === 'skip' && /^\d+$/.test(given);
  const others = problems.filter((problem) => !isTooLong(problem) && !isTooFar(problem));
  const sentences = [
    ...(problems.some(isTooLong) ? [tooLongSearch(SEARCH_MAX, length)] : []),
    ...(problems.some(isTooFar) ? [LISTS.pager.end] : []),
    ...(others.length > 0 ? [badValues(others)] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
