/** The operator's acts on appeals. Each is a change of its entry, so that mirrors and pages follow. */
import { readLogHead } from '../changes/change-log.ts';
import { sqlBuilder, type Transaction } from '../db/database.ts';
import { dayInPoland } from '../text/calendar.ts';
import { BadInputError, OperatorError } from '../operator-error.ts';
import { findAppeal } from './appeals.ts';
import { countsUpsert, daysToDecide } from './entry-statistics.ts';
import { toWrite, type EntryRow } from './entry-row.ts';
import { findReportRow } from './report-numbers.ts';
import { removedError } from '../removals/tombstones.ts';
import { findTimeProblem, lineSchema, timeSchema } from './import-record.ts';
import { toPublicAppeal } from './public-entry.ts';
import { writeEntries } from './staging-tables.ts';

const NOTE_MAX = 300;
/** Names with a dot in them, but for „m.in.”, and every address with a scheme. */
const LINK = /:\/\/|[\p{L}\p{N}_-]\.(?!in\.)\p{L}{2}/u;

export const appealNoteSchema = lineSchema(NOTE_MAX).refine(
  (note) => !LINK.test(note),
  'holds what looks like a link or an e-mail address; only plain words are allowed',
);

export interface Actor {
  readonly by: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The entry, with its newest appeal after the act. */
export type Appealed = Readonly<ReturnType<typeof writeAppealed>>;

/**
 * Notes an appeal against an entry.
 * @param at a day in Poland or an ISO 8601 time at which it came; undefined: now
 * @throws {OperatorError} `not_found`, `removed`, `invalid`, or `exists` while another one is open
 */
export function openAppeal(tx: Transaction, number: string, actor: Actor, at?: string): Appealed {
  const { entry, reportId, appeal } = findAppealed(tx, number);
  if (appeal && appeal.decidedAt === null) {
    const openedAt = new Date(appeal.openedAt).toISOString();
    const message = `${reportId} has an open appeal already, from ${dayInPoland(appeal.openedAt)}`;
    throw new OperatorError('exists', message, { openedAt });
  }
  const opened_at = toOpenedAt(at, entry.reported_at, actor.now);
  tx.run(sqlBuilder.insertInto('appeals').values({ row: entry.row, opened_at }));
  return writeAppealed(tx, entry, actor);
}

/** Takes back an appeal that was noted by mistake. @throws {OperatorError} `not_found` or `removed` */
export function cancelAppeal(tx: Transaction, number: string, actor: Actor): Appealed {
  const { entry, reportId, appeal } = findAppealed(tx, number);
  if (appeal?.decidedAt !== null) throw noOpenAppeal(reportId);
  tx.run(sqlBuilder.deleteFrom('appeals').where('row', '=', entry.row).where('decided_at', 'is', null));
  return writeAppealed(tx, entry, actor);
}

/**
 * Decides that the entry stays.
 * @param note says why, in public; see `appealNoteSchema`
 * @param replaces only mends the note of the newest decision
 * @throws {OperatorError} `not_found`, `removed`, `invalid`, or `exists` when it is decided already
 */
export function upholdAppeal(
  tx: Transaction,
  number: string,
  actor: Actor,
  note: string,
  replaces = false,
): Appealed {
  const checked = appealNoteSchema.safeParse(note);
  if (!checked.success) throw new BadInputError(`the note ${checked.error.issues[0]?.message ?? ''}`);
  const { entry, reportId, appeal } = findAppealed(tx, number);
  if (replaces && (appeal?.decidedAt ?? null) === null)
    throw new OperatorError('not_found', `${reportId} has no decision to mend`);
  if (!replaces && appeal && appeal.decidedAt !== null) {
    const decidedAt = new Date(appeal.decidedAt).toISOString();
    const message = `the appeal of ${reportId} was decided on ${dayInPoland(appeal.decidedAt)}; --replace mends the note`;
    throw new OperatorError('exists', message, { decidedAt });
  }
  if (!appeal) throw noOpenAppeal(reportId);
  const newest = sqlBuilder.selectFrom('appeals').select(({ fn }) => fn.max('appeal').as('appeal'));
  tx.run(
    sqlBuilder
      .updateTable('appeals')
      .set({ note: checked.data, decided_at: appeal.decidedAt ?? actor.now })
      .where('appeal', '=', newest.where('row', '=', entry.row)),
  );
  if (!replaces) tx.statement(COUNT_DECIDED).run({ row: entry.row });
  return writeAppealed(tx, entry, actor);
}

const COUNT_DECIDED =
  countsUpsert(`SELECT decided_at AS at, 'decided' AS what, ${daysToDecide('decided_at')} AS days, 1 AS count
    FROM appeals WHERE row = @row ORDER BY appeal DESC LIMIT 1`);

function findAppealed(tx: Transaction, number: string) {
  const entry = findReportRow(tx, number);
  if (!entry) throw new OperatorError('not_found', `no entry has the report number ${number}`);
  if ('removedAt' in entry)
    throw removedError(`${entry.reportId} was removed`, { at: entry.removedAt, reason: entry.reason });
  const { report_id: reportId } = entry;
  if (entry.list === 'legit')
    throw new BadInputError(`${reportId} is trusted; appeals are for entries of scammers and servers`);
  return { entry, reportId, appeal: findAppeal(tx, entry.row) };
}

function noOpenAppeal(reportId: string): OperatorError {
  return new OperatorError('not_found', `${reportId} has no open appeal`);
}

/** @throws {BadInputError} */
function toOpenedAt(given: string | undefined, reportedAt: number, now: number): number {
  if (given === undefined) return now;
  const { data: at } = timeSchema.safeParse(given);
  if (at === undefined)
    throw new BadInputError('--at must be a day such as 2026-11-03, or an ISO 8601 time with a zone');
  const first = dayInPoland(reportedAt);
  const problem = findTimeProblem(at, now);
  if (problem !== undefined) throw new BadInputError(`--at: ${problem}`);
  if ((at > now && given !== dayInPoland(now)) || dayInPoland(at) < first)
    throw new BadInputError(`--at: from the report on ${first} until now is allowed`);
  // A day stands for its beginning, and both ends of the time may lie in it.
  return Math.min(now, Math.max(at, reportedAt));
}

function writeAppealed(tx: Transaction, entry: EntryRow, { by, now }: Actor) {
  const { seq: comparedAtSeq } = readLogHead(tx);
  const write = { ...toWrite(entry), updated_at: now, changesAppeal: true };
  writeEntries(tx, [write], { comparedAtSeq, now, by, origin: 'edit' });
  const { list, chat_id: id, report_id: reportId } = entry;
  return { list, id, reportId, appeal: toPublicAppeal(findAppeal(tx, entry.row)) };
}
