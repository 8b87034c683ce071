/** This reads everything that a list page shows for its URL. */
import type { AstroGlobal } from 'astro';
import { answerCard } from './_link-cards.ts';
import { answerById } from './_read-check.ts';
import type { Database } from '#src/db/database.ts';
import { SEARCH_MAX, type PublicSummary, type ListKind } from '#src/entries/entry.ts';
import { parseListQuery, SKIP_MAX } from '#src/entries/list-query.ts';
import { parseCheckInput } from '#src/entries/parse-check-input.ts';
import { findReport } from '#src/entries/report-numbers.ts';
import { findReportsOfTrusted } from '#src/entries/verdict.ts';
import { OverloadedError } from '#src/queues/fair-queue.ts';
import { answerApiPath, entryPath, feedPath, inJson, listApiPath, listPath } from '#src/paths.ts';
import type { Services } from '#src/services.ts';
import type { ListPage as ServedPage } from '#src/lists/list-reader.ts';
import { codePointLength, type QueryProblem } from '#src/text/read-query.ts';
import { listParameters } from '../components/list/list-links.ts';
import type { EntryPage, ListView } from '../components/list/list-page.ts';
import { badValues, FEEDS, LISTS, tooLongSearch } from '../components/list/lists-texts.ts';

/** Also sets the status. */
export async function readList(
  { url, locals, response }: Pick<AstroGlobal, 'url' | 'locals' | 'response'>,
  list: ListKind,
): Promise<ListView> {
  const { services, requester } = locals;
  const parameters = url.searchParams;
  const { query: asked, problems } = parseListQuery(parameters);
  const query = { ...asked, search: asked.search && readSearch(asked.search, services.db) };
  let page: Pick<ServedPage, 'entries' | 'total'> = { entries: [], total: 0 };
  let retrySeconds: number | undefined;
  try {
    page = await services.listReader.listSummaries(list, query, requester);
  } catch (error) {
    if (error instanceof OverloadedError) retrySeconds = error.retryAfterSeconds;
    // The client has gone and aborted the search, so this answer is not read.
    else if (requester.signal.aborted) retrySeconds = 1;
    else throw error;
  }
  const { entries, total } = page;
  const [entry] = entries;
  const one = query.id !== undefined && entry ? await readEntryPage(entry, services) : undefined;
  const head = {
    title: LISTS.title[list],
    description: LISTS.lead[list],
    address: listPath(list, listParameters(query)),
    card: undefined,
    feed: feedOf(list),
    alternates: inJson(listApiPath(list, listParameters(query))),
    // A nick without an ID in a search engine would harm namesakes of the reported.
    noindex: list !== 'legit' || query.search !== undefined || query.id !== undefined,
  };
  if (retrySeconds !== undefined) {
    response.status = 503;
    response.headers.set('Retry-After', String(retrySeconds));
  }
  return {
    head,
    list,
    query,
    notice: noticeOf(problems, parameters),
    entries,
    reportOfTrusted: findReportsOfTrusted(services.db, entries),
    total,
    skipMax: SKIP_MAX,
    retrySeconds,
    one,
  };
}

/** Takes what the check takes: an ID in any form, a nick with its marks, and a report's number for the ID of its entry. */
function readSearch(typed: string, db: Database): string {
  const input = parseCheckInput(typed);
  if (input.kind === 'id') return input.id;
  if (input.kind === 'nick') return input.nick;
  const found = input.kind === 'report' ? findReport(db, input.number) : undefined;
  return found && 'id' in found ? found.id : typed;
}

/** @returns undefined for an entry that was removed a moment ago */
export async function readEntryPage(
  { id, _id }: PublicSummary,
  services: Services,
): Promise<EntryPage | undefined> {
  const answer = await answerById(id, services, _id);
  const { entry } = answer;
  if (!entry) return undefined;
  const { list } = entry;
  const head = {
    title: answer.title,
    description: LISTS.lead[list],
    address: entryPath(entry),
    card: answerCard(answer, Date.now()),
    feed: feedOf(list),
    alternates: inJson(answerApiPath({ id })),
    noindex: true,
  };
  return { head, list, answer };
}

function feedOf(list: ListKind): EntryPage['head']['feed'] {
  return { title: FEEDS.title(list), path: feedPath(list) };
}

/** The parts of the address that could not be used, in few words. */
function noticeOf(problems: readonly QueryProblem[], parameters: URLSearchParams): string | undefined {
  const length = codePointLength(parameters.get('search')?.trim() ?? '');
  const isTooLong = ({ parameter }: QueryProblem): boolean => parameter === 'search' && length > SEARCH_MAX;
  const isTooFar = ({ parameter, raw }: QueryProblem): boolean => parameter === 'skip' && /^\d+$/.test(raw);
  const others = problems.filter((problem) => !isTooLong(problem) && !isTooFar(problem));
  const sentences = [
    ...(problems.some(isTooLong) ? [tooLongSearch(SEARCH_MAX, length)] : []),
    ...(problems.some(isTooFar) ? [LISTS.pager.end] : []),
    ...(others.length > 0 ? [badValues(others)] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
