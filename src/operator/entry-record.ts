/** One entry as a record of the import format: how the verbs `entry` and `proofs` read it and write it back. */
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { entryIdOf } from '../entries/entry-identity.ts';
import { findMistakenId } from '../entries/find-mistaken-id.ts';
import type { ListKind } from '../entries/entry.ts';
import { parseImportRecord } from '../entries/import-record.ts';
import { createImportSession, type ImportOptions, type ImportProblem } from '../entries/import-session.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { selectRecords, type ExportRow } from '../entries/export-records.ts';
import { foldText } from '../text/fold-text.ts';
import { createMarkdownRenderer } from '../text/markdown-renderer.ts';
import { BadInputError, named } from './console/outcome.ts';

export interface Target {
  list: ListKind;
  json?: boolean;
}

export const ANY_NAME = 'chat-platform ID, report number or _id';

/**
 * Finds an entry of a list.
 * @param name its chat ID, its report number or its `_id`
 * @throws {BadInputError} when the list has no such entry; the message names entries that have the name as their nick
 */
export function getRow(db: Database, list: ListKind, name: string): ExportRow {
  const row = findByName(db, list, name);
  if (row) return row;
  const found = findByNick(db, list, name).map((entry) => `${entry.chat_id} (${entry.report_id})`);
  const mistake = findMistakenId(name);
  const hint =
    found.length > 0
      ? `; with that name there are: ${named(found)}`
      : mistake === undefined
        ? ''
        : `: "${name}" ${mistake}`;
  throw new BadInputError(`${list} has no entry with the ID ${name}${hint}`);
}

/** @param name as for getRow */
export function findByName(db: Database, list: ListKind, name: string): ExportRow | undefined {
  return db.first(BY_NAME, { list, name, entryId: entryIdOf(name) });
}

const BY_NAME = selectRecords
  .where('list', '=', param('list'))
  .where((is) =>
    is.or([is('chat_id', '=', param('name')), is('entry_id', 'in', [param('name'), param('entryId')])]),
  )
  // Report numbers are given out; a chat ID that looks like one would come first.
  .orderBy((is) => is('chat_id', '=', param('name')), 'desc')
  .compile();

/** In all lists. @param name as for getRow */
export function findByAnyName(db: Database, name: string): EntryRow[] {
  const ids = [name, entryIdOf(name)];
  const found = sqlBuilder.selectFrom('entries').selectAll().orderBy('row');
  return db.all(found.where((is) => is.or([is('chat_id', '=', name), is('entry_id', 'in', ids)])));
}

function findByNick(db: Database, list: ListKind, nick: string): Pick<EntryRow, 'chat_id' | 'report_id'>[] {
  const folded = foldText(nick);
  const ofList = sqlBuilder
    .selectFrom('entries')
    .select(['chat_id', 'report_id', 'name'])
    .where('list', '=', list);
  return db.all(ofList).filter(({ name }) => foldText(name) === folded);
}

type WriteOptions = Pick<ImportOptions, 'by' | 'how' | 'storedId' | 'withdrawsReplaced' | 'formerNames'> &
  Partial<Pick<ImportOptions, 'storeFile' | 'onNotice'>>;

/**
 * Checks, renders and writes one record the way an import does.
 * @throws {BadInputError} with every problem of the record
 */
export async function writeRecord(
  db: Database,
  list: ListKind,
  record: object,
  { storeFile = noFiles, onNotice = () => {}, ...options }: WriteOptions = {},
): Promise<void> {
  const checked = parseImportRecord(record, list);
  if (!checked.ok) throw refusal(checked.problems);
  const problems: ImportProblem[] = [];
  const renderer = createMarkdownRenderer();
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile,
      onProblem: (problem) => problems.push(problem),
      onNotice,
      now: Date.now(),
      how: 'edit',
      ...options,
    });
    await session.add(checked.record, 1);
    await session.settle();
    if (problems.length > 0) {
      await session.discard();
      throw refusal(problems);
    }
    session.commit();
  } finally {
    await renderer.close();
  }
}

function noFiles(): ReturnType<ImportOptions['storeFile']> {
  return Promise.resolve({ ok: false, problem: 'files are added with the verb proofs' });
}

function refusal(problems: readonly { readonly field: string; readonly problem: string }[]): BadInputError {
  return new BadInputError(
    problems.map(({ field, problem }) => `${countedFromOne(field)}: ${problem}`).join('\n'),
  );
}

/** As `proofs show` and --item count; a file of records has the place in its array. */
function countedFromOne(field: string): string {
  return field.replace(/^proofs\.items\[(\d+)\]\.?/, (_, index) => `item ${Number(index) + 1}: `);
}
