/** This reads everything that the check page shows for its URL. */
import { CHECK_RESULTS_MAX, parseCheckQuery } from '#src/entries/check.ts';
import { findReport, type RemovedReport } from '#src/entries/report-numbers.ts';
import { SEARCH_MAX, type PublicSummary } from '#src/entries/entry.ts';
import { formerNamesOf } from '#src/entries/former-names.ts';
import { listPublicByChatId, parseSummary, parseEntry } from '#src/entries/public-entry.ts';
import { MARKS_AROUND, parseNick, parseCheckInput, type CheckInput } from '#src/entries/parse-check-input.ts';
import { findReportsOfTrusted, isRounded, orderByVerdict } from '#src/entries/verdict.ts';
import type { Services } from '#src/services.ts';
import { OverloadedError } from '#src/queues/fair-queue.ts';
import { foldText } from '#src/text/fold-text.ts';
import { isPlatformId } from '#src/platform-id.ts';
import { markMatch } from '#src/entries/mark-name.ts';
import { codePointLength } from '#src/text/read-query.ts';
import { summarizeProofs } from '#src/proofs/list-public-proofs.ts';
import { readLikeness } from './_read-likeness.ts';
import type { Hit, IdAnswer, LikeEntry, NickAnswer } from '../components/check/answer.ts';
import { compareRoles, roleOf, type Role } from '../components/ui/role.ts';
import { ANSWER } from '../components/check/answer-texts.ts';
import { badCheckValue, CHECK } from '../components/check/check-texts.ts';
import { ERRORS } from '../components/layout/errors-texts.ts';
import { LIKENESS } from '../components/check/likeness-texts.ts';
import { foundOf, NICK_ANSWER } from '../components/check/nick-answer-texts.ts';

/** The length to which the field cuts an over-long search. */
const ECHOED_MAX = 300;
/** Words that are looked for in a sentence, and how long they are at least, in characters. */
const WORDS_MAX = 8;
const NICK_MIN = 3;
/** Digits that are no nick of an entry are more likely a piece of an ID. */
const ID_PIECE = /^\d{5,}$/;
/** Fewer words may be a nick. */
const SENTENCE_MIN = 3;

export interface CheckView {
  readonly asked: string;
  readonly error?: string;
  readonly invalid?: boolean;
  readonly notice?: string;
  readonly answer?: IdAnswer | NickAnswer;
  /** The number of a removed entry was asked for. */
  readonly removed?: RemovedReport;
  /** Seconds until a retry; set when the search was overloaded. */
  readonly retrySeconds?: number;
}

/** This is a view without the text that was asked for. */
type Meaning = Omit<CheckView, 'asked'>;
type CheckServices = Pick<Services, 'listReader' | 'db' | 'avatars'>;

export async function readCheck(parameters: URLSearchParams, services: CheckServices): Promise<CheckView> {
  const { query, problems } = parseCheckQuery(parameters);
  const typed = (query.id ?? parameters.get('search') ?? '').trim();
  const [problem] = problems;
  if (problem) {
    const length = codePointLength(typed);
    const error =
      problem.parameter === 'search' && length > SEARCH_MAX
        ? CHECK.tooLong(SEARCH_MAX, length)
        : badCheckValue(problem.raw, problem.parameter);
    return { asked: [...typed].slice(0, ECHOED_MAX).join(''), error, invalid: true };
  }
  if (query.id !== undefined) return { asked: typed, ...(await readGivenId(typed, query.id, services)) };
  if (query.search === undefined) {
    return parameters.has('search') ? { asked: '', error: CHECK.empty, invalid: true } : { asked: '' };
  }
  // The field takes so much of a pasted text, which may end in the middle of an ID.
  const isCut = (parameters.get('search') ?? '').length === SEARCH_MAX && /\d$/.test(typed);
  if (isCut) return { asked: typed, notice: CHECK.cut };
  return { asked: typed, ...(await readTyped(typed, parseCheckInput(query.search), services)) };
}

/** A link with words in the place of an ID would put them on our page as if we said them. */
async function readGivenId(typed: string, id: string, services: CheckServices): Promise<Meaning> {
  const input = parseCheckInput(id);
  if (isPlatformId(id) || listPublicByChatId(services.db, id).length > 0) return readId(id, services);
  if (input.kind === 'id' || input.kind === 'digits') return readTyped(typed, input, services);
  return { notice: CHECK.noId };
}

async function readTyped(typed: string, input: CheckInput, services: CheckServices): Promise<Meaning> {
  try {
    const meant = await readMeant(input, services);
    // A listed name may read like an ID among words, a mention or an old tag. The stronger of the two decides.
    const isOdd = /\p{L}/u.test(typed) && !(input.kind === 'nick' && input.nick === typed);
    if (!isOdd || input.kind === 'report') return meant;
    const named = await answerByNick(typed, services);
    const isNamed = named.by === 'nick' && named.same.length > 0;
    return isNamed && compareRoles(named.role, roleOfAnswer(meant.answer)) <= 0 ? { answer: named } : meant;
  } catch (cause) {
    if (!(cause instanceof OverloadedError)) throw cause;
    const { retryAfterSeconds: retrySeconds } = cause;
    const error = `${ERRORS.overloaded.title(String(retrySeconds))} ${ERRORS.notResult}`;
    return { error, retrySeconds };
  }
}

async function readMeant(input: CheckInput, services: CheckServices): Promise<Meaning> {
  const { db } = services;
  if (input.kind === 'id') {
    const meaning = await readId(input.id, services);
    return input.isServer ? { ...meaning, notice: CHECK.server } : meaning;
  }
  if (input.kind === 'doubt') return { notice: CHECK[input.doubt] };
  if (input.kind === 'digits') {
    const { digits } = input;
    if (listPublicByChatId(db, digits).length > 0) return readId(digits, services);
    return { notice: CHECK.idLength(digits.length) };
  }
  if (input.kind === 'report') {
    const report = await readReport(input.number, services);
    if (report) return report;
  }
  const answer = await answerByNick(input.nick, services);
  if (answer.by === 'id' || isFound(answer)) return { answer };
  if (input.kind === 'report') return { notice: CHECK.noReport };
  if (ID_PIECE.test(input.nick)) return { notice: CHECK.idLength(input.nick.length) };
  const isLike = (answer.likeness?.trusted.length ?? 0) > 0;
  // Reports that came from elsewhere have numbers of other forms, with a digit and a mark.
  const isNumber = !isLike && /\d/.test(input.nick) && /[-_.]/.test(input.nick);
  const ofReport = isNumber ? await readReport(input.nick, services) : undefined;
  if (ofReport) return ofReport;
  const words = input.nick.split(/\s+/);
  // A trusted nick with a word beside it is how impostors call themselves.
  if (isLike && words.length < SENTENCE_MIN) return { answer };
  const meant = await readSentence(words, services);
  const isBetter = !isLike || (meant?.answer && meant.answer.role !== 'good');
  return meant && isBetter ? meant : { answer };
}

function roleOfAnswer(answer: CheckView['answer']): Role {
  if (answer?.by === 'id') return answer.entry ? roleOf(answer.entry) : 'none';
  return answer?.role ?? 'none';
}

async function readReport(number: string, services: CheckServices) {
  const found = findReport(services.db, number);
  if (!found) return undefined;
  if ('removedAt' in found) return { removed: found };
  const { reportId } = found;
  const answer = await answerById(found.id, services);
  const { entry } = answer;
  const title =
    entry?.reportId === reportId
      ? ANSWER.reportTitle(reportId, roleOf(entry), entry.list)
      : ANSWER.ofReport(reportId, answer.title);
  return { answer: { ...answer, title } };
}

/**
 * In a text that is no nick of an entry, one of the words may be the nick that was meant, with marks around it. "No entry"
 * would comfort falsely then, and so would a trusted word beside a reported one.
 * @returns undefined where the text is a nick like any other
 */
async function readSentence(words: readonly string[], services: CheckServices) {
  const nicks = words.map((word) => parseNick(word.replace(MARKS_AROUND, '')));
  const others = nicks.filter(
    (nick, at) => (words.length > 1 || nick !== words[at]) && codePointLength(nick) >= NICK_MIN,
  );
  const found: NickAnswer[] = [];
  for (const nick of others.slice(0, WORDS_MAX)) {
    const answer = await answerByNick(nick, services);
    if (answer.by === 'nick' && answer.same.length > 0) found.push({ ...answer, meant: CHECK.meant(nick) });
  }
  const [answer] = found.toSorted((one, other) => compareRoles(one.role, other.role));
  if (answer) return { answer };
  return words.length < SENTENCE_MIN ? undefined : { notice: CHECK.sentence };
}

/** Nothing that the words of a sentence could mean is more likely. */
function isFound({ same, similar, likeness }: NickAnswer): boolean {
  return same.length + similar.length > 0 || (likeness?.reported.length ?? 0) > 0;
}

async function readId(id: string, services: CheckServices): Promise<Meaning> {
  const answer = await answerById(id, services);
  const isDoubtful = answer.entry === undefined && isRounded(id);
  return { answer, ...(isDoubtful && { notice: CHECK.rounded }) };
}

/**
 * A trusted person who was reported is shown as reported.
 * @param first `_id` of the entry to show, unless it is left out; by default the strongest
 */
export async function answerById(
  id: string,
  { listReader, db, avatars }: CheckServices,
  first?: string,
): Promise<IdAnswer> {
  const entries = listPublicByChatId(db, id).map(parseEntry);
  const shown = orderByVerdict(entries);
  const leftOut = entries.filter((entry) => !shown.includes(entry));
  const [strongest, ...weaker] = shown;
  const entry = weaker.find(({ _id }) => _id === first) ?? strongest;
  return {
    by: 'id',
    title: ANSWER.title(entry ? roleOf(entry) : 'none', entry?.list),
    id,
    entry,
    formerNames: entry ? formerNamesOf(db, entry._id) : [],
    others: [...shown.filter((other) => other !== entry), ...leftOut.filter(isHijacked)],
    leavesOutTrusted: !leftOut.every(isHijacked),
    isAccount: entry === undefined && (await avatars.knows(id)),
    proofsSummary: entry && summarizeProofs(db, entry.proofsId),
    likeness: entry && readLikeness(listReader, entry.name, id, []),
  };
}

/** No list of trusted people has it; its owner is not the one who was reported. */
function isHijacked({ account }: PublicSummary): boolean {
  return account === 'hijacked';
}

async function answerByNick(search: string, services: CheckServices): Promise<IdAnswer | NickAnswer> {
  const { listReader, db } = services;
  const results = listReader.checkNick(search);
  const checked = results.flatMap(({ found }) => found.map(({ card }) => parseSummary(card)));
  // Lists may hold IDs that do not look like the platform's; one that was typed exactly decides.
  if (checked.some((entry) => entry.id === search)) return answerById(search, services);
  const folded = foldText(search);
  const alikes = readLikeness(listReader, search, undefined, checked);
  // The check leaves out a hijacked trusted account, but a nick like its own may be that of the stranger.
  const isTaken = ({ entry }: LikeEntry): boolean =>
    entry.account === 'hijacked' && foldText(entry.name) === folded;
  const taken = (alikes?.trusted ?? []).filter(isTaken);
  const entries = [...checked, ...taken.map(({ entry }) => entry)];
  const reportOfTrusted = findReportsOfTrusted(db, entries);
  // Of one role, they keep the order of the check.
  const hits = entries
    .toSorted((one, other) => compareRoles(roleOf(one), roleOf(other)))
    .map((entry): Hit => ({ entry, parts: markMatch(entry.name, folded) }));
  const same = hits.filter(({ entry }) => foldText(entry.name) === folded);
  const similar = hits.filter((hit) => !same.includes(hit));
  // Beside the ID of the only account with the nick stands its nick, and not what was typed.
  const [only] = same;
  const own =
    same.length === 1 && only && only.entry.name !== search
      ? readLikeness(listReader, only.entry.name, undefined, checked)
      : alikes;
  const likeness = own && { ...own, trusted: own.trusted.filter((like) => !isTaken(like)) };
  const cutLists = results.filter(({ hasMore }) => hasMore).map(({ kind }) => kind);
  const withoutCase = (name: string): string => name.normalize().toLowerCase();
  const isNear =
    same.length > 0 && !same.some(({ entry }) => withoutCase(entry.name) === withoutCase(search));
  const alike = likeness?.reported ?? [];
  // What stands on the page as the like of the nick: its own entries, or all that are similar in a way.
  const counted = (same.length > 0 ? same : [...similar, ...alike]).map(({ entry }) => entry);
  const roles = new Set(counted.map((entry) => roleOf(reportOfTrusted(entry) ?? entry)));
  const found = foundOf(same.length > 0 ? entries : counted);
  // A list is cut after its equal names, unless there are too many of them.
  const isCut = cutLists.some(
    (kind) =>
      same.length === 0 || same.filter(({ entry }) => entry.list === kind).length >= CHECK_RESULTS_MAX,
  );
  const titleOf = (): string => {
    if (same.length > 0) {
      const [role] = roles.size === 1 ? roles : [];
      return NICK_ANSWER.same(role, same.length, foundOf(counted), isNear, isCut);
    }
    if (similar.length > 0) return NICK_ANSWER.similar(roles, counted.length, found, isCut);
    const [first] = alike;
    if (!first) return likeness?.trusted.length ? LIKENESS.ofTrusted : NICK_ANSWER.none;
    if (first.isFormer) return LIKENESS.noneButFormer;
    return LIKENESS.ofReported(foundOf(alike.map(({ entry }) => entry)), alike.length);
  };
  const title = titleOf();
  const [role = 'none'] = same.length > 0 ? [...roles].toSorted(compareRoles) : [];
  return {
    by: 'nick',
    title,
    isNear,
    found,
    search,
    role,
    same,
    similar,
    reportOfTrusted,
    cutLists,
    likeness,
  };
}
