/** What the check page shows for its address. */
import { CHECK_RESULTS_MAX, leaveOutTrusted } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import type { Entry, EntrySummary, ListKind } from '#src/entries/entry.ts';
import { SEARCH_MAX } from '#src/entries/list-query.ts';
import { findStoredEntry } from '#src/entries/read-entry.ts';
import { isPlatformId, readSubject } from '#src/entries/subject.ts';
import type { Subject } from '#src/entries/subject.ts';
import { isRounded } from '#src/entries/verdict.ts';
import type { Services } from '#src/services.ts';
import { readSummary } from '#src/serving/ready-entry.ts';
import { toSummary } from '#src/entries/to-summary.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';
import type { Asker } from '#src/turns/gate.ts';
import { foldText } from '#src/text/fold-text.ts';
import { codePointLength } from '#src/text/read-query.ts';
import { readLikeness } from './_read-likeness.ts';
import type { NameParts } from '../components/check/name-parts.ts';
import { splitName } from '../components/check/name-parts.ts';
import { compareRoles, roleOf, strongestRole } from '../components/ui/role.ts';
import type { Role } from '../components/ui/role.ts';
import type { Likeness } from '../components/check/likeness.ts';
import { ANSWER } from '../components/check/answer-texts.ts';
import { badCheckValue, CHECK } from '../components/check/check-texts.ts';
import { ERRORS } from '../components/layout/errors-texts.ts';
import { LIKENESS } from '../components/check/likeness-texts.ts';
import { NICK_ANSWER } from '../components/check/nick-answer-texts.ts';

/** What of an over-long search is put back into the field. */
const KEPT_MAX = 300;

export interface CheckView {
  /** What stands in the field. */
  readonly asked: string;
  readonly error?: string;
  readonly invalid?: boolean;
  readonly notice?: string;
  /** The notice is about an ID that is not there: where to find one. */
  readonly hasHelp?: boolean;
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
  /** A trusted entry has the ID too, and is not shown. */
  readonly leavesOutTrusted: boolean;
  /** Only of an ID without an entry: whether the platform has an account with it. */
  readonly isAccount: boolean;
  /** Undefined while nobody knows. */
  readonly likeness: Likeness | undefined;
}

export interface NickAnswer {
  readonly by: 'nick';
  readonly title: string;
  readonly search: string;
  readonly role: Role;
  /** Entries have this nick but for diacritics or invisible characters. */
  readonly isNear: boolean;
  /** What was found are servers, all of it. */
  readonly isOfServers: boolean;
  readonly hits: readonly { readonly entry: EntrySummary; readonly parts: NameParts | undefined }[];
  /** Lists that hold more than the check returns. */
  readonly cutLists: readonly ListKind[];
  /** Undefined while nobody knows. */
  readonly likeness: Likeness | undefined;
}

type CheckServices = Pick<Services, 'serving' | 'db' | 'avatars'>;

export async function readCheck(
  parameters: URLSearchParams,
  services: CheckServices,
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
  if (query.id !== undefined) return readGivenId(typed, query.id, services, asker);
  if (query.search === undefined) {
    return parameters.has('search') ? { asked: '', error: CHECK.empty, invalid: true } : { asked: '' };
  }
  return readTyped(typed, readSubject(query.search), services, asker);
}

/** Words in the place of an ID would stand on our page as if we had said them. */
async function readGivenId(
  typed: string,
  id: string,
  services: CheckServices,
  asker: Asker,
): Promise<CheckView> {
  const subject = readSubject(id);
  if (isPlatformId(id) || services.serving.findById(id, 'summary').length > 0)
    return viewOfId(typed, id, services);
  if (subject.kind === 'id' || subject.kind === 'digits') return readTyped(typed, subject, services, asker);
  return { asked: typed, notice: CHECK.noId, hasHelp: true };
}

async function readTyped(
  typed: string,
  subject: Subject,
  services: CheckServices,
  asker: Asker,
): Promise<CheckView> {
  const { serving, db } = services;
  if (subject.kind === 'id') return viewOfId(typed, subject.id, services);
  if (subject.kind === 'doubt')
    return { asked: typed, notice: CHECK[subject.doubt], hasHelp: subject.doubt !== 'direct' };
  if (subject.kind === 'digits') {
    const { digits } = subject;
    if (serving.findById(digits, 'summary').length > 0) return viewOfId(typed, digits, services);
    return { asked: typed, notice: CHECK.idLength(digits.length), hasHelp: true };
  }
  if (subject.kind === 'report') {
    const reported = findStoredEntry(db, entryIdOf(subject.number));
    if (reported) {
      const answer = await answerById(reported.entry.id, services);
      return { asked: typed, answer: { ...answer, title: reportTitle(subject.number, answer) } };
    }
  }
  try {
    const answer = await answerByNick(subject.nick, services, asker);
    const isFound = answer.by === 'id' || answer.hits.length > 0;
    if (subject.kind === 'report' && !isFound) return { asked: typed, notice: CHECK.noReport };
    return { asked: typed, answer };
  } catch (error) {
    if (!(error instanceof OverloadedError)) throw error;
    const { seconds } = error;
    return { asked: typed, error: ERRORS.overloaded(String(seconds)), retrySeconds: seconds };
  }
}

async function viewOfId(typed: string, id: string, services: CheckServices): Promise<CheckView> {
  const answer = await answerById(id, services);
  const isDoubtful = answer.entry === undefined && isRounded(id);
  return { asked: typed, answer, ...(isDoubtful && { notice: CHECK.rounded, hasHelp: true }) };
}

async function answerById(id: string, { serving, avatars }: CheckServices): Promise<IdAnswer> {
  const entries = serving.findEntriesById(id);
  const shown = leaveOutTrusted(entries, ({ list }) => list);
  const [entry, ...others] = fromStrongest(shown);
  return {
    by: 'id',
    title: ANSWER.title(entry ? roleOf(entry) : 'none', entry?.list),
    id,
    entry,
    others: others.map(toSummary),
    leavesOutTrusted: shown.length < entries.length,
    isAccount: entry === undefined && (await avatars.knows(id)),
    likeness: entry && (await readLikeness(serving, entry.name, id, [])),
  };
}

/** What is asked for by the number of a report is told of that number. */
function reportTitle(number: string, { entry, title }: IdAnswer): string {
  return entry?.reportId === number
    ? ANSWER.reportTitle(number, roleOf(entry))
    : `${ANSWER.entryTitle(number)}. ${title}`;
}

async function answerByNick(
  search: string,
  services: CheckServices,
  asker: Asker,
): Promise<IdAnswer | NickAnswer> {
  const { serving } = services;
  const results = await serving.checkNick(search, 'summary', asker);
  const entries = results.flatMap(({ found }) => found.map(readSummary));
  // Lists may hold IDs that do not look like the platform's; one that was typed exactly decides.
  if (entries.some((entry) => entry.id === search)) return answerById(search, services);
  const folded = foldText(search);
  const same = entries.filter((entry) => foldText(entry.name) === folded);
  const role = strongestRole(same.length > 0 ? same : entries);
  const likeness = await readLikeness(serving, search, undefined, entries);
  const cutLists = results.filter(({ hasMore }) => hasMore).map(({ kind }) => kind);
  const isNear = same.length > 0 && !same.some(({ name }) => isSameButCase(name, search));
  const isAlike = likeness !== undefined && likeness.trusted.length + likeness.reported.length > 0;
  return {
    by: 'nick',
    title: entries.length === 0 && isAlike ? LIKENESS.none : nickTitle(role, same, isNear, entries, cutLists),
    isNear,
    isOfServers: isOfServers(entries),
    search,
    role,
    hits: fromStrongest(entries, (entry) => same.includes(entry)).map((entry) => ({
      entry,
      parts: splitName(entry.name, folded, foldText),
    })),
    cutLists,
    likeness,
  };
}

function isSameButCase(one: string, other: string): boolean {
  return one.normalize().toLowerCase() === other.normalize().toLowerCase();
}

function nickTitle(
  role: Role,
  same: readonly EntrySummary[],
  isNear: boolean,
  entries: readonly EntrySummary[],
  cutLists: readonly ListKind[],
): string {
  if (entries.length === 0) return NICK_ANSWER.none;
  if (same.length === 0)
    return NICK_ANSWER.similar(entries.length, cutLists.length > 0, isOfServers(entries));
  // A list is cut behind its equal names, unless there are too many of them.
  const isCut = cutLists.some((kind) => same.filter(({ list }) => list === kind).length >= CHECK_RESULTS_MAX);
  const counted = same.filter((entry) => roleOf(entry) === role);
  return NICK_ANSWER.same(role, counted.length, isCut, { isNear, isOfServers: isOfServers(counted) });
}

/** Servers have names, not nicks. */
function isOfServers(entries: readonly EntrySummary[]): boolean {
  return entries.length > 0 && entries.every(({ list }) => list === 'servers');
}

/** Entries that are `near` first, then by role; otherwise in the order that the check gave. */
function fromStrongest<Shown extends Pick<EntrySummary, 'list' | 'verified'>>(
  entries: readonly Shown[],
  near: (entry: Shown) => boolean = () => false,
): Shown[] {
  return entries.toSorted(
    (one, other) => Number(near(other)) - Number(near(one)) || compareRoles(roleOf(one), roleOf(other)),
  );
}
