/** Builders: a test names only what matters to it. */
import { join } from 'node:path';
import { readLogHead } from '#src/changes/change-log.ts';
import type { Database, Transaction } from '#src/db/database.ts';
import { readContent } from '#src/entries/entry-content.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import { toWrite, type EntryRow } from '#src/entries/entry-row.ts';
import { writeEntries, writeStagedEntries } from '#src/entries/staging-tables.ts';
import { replaceShown } from '#src/operator/rebuild-database.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { listFileNames, parseImportRecord, type ImportRecordInput } from '#src/entries/import-record.ts';
import { StagingSession, type StagingOptions } from '#src/entries/staging-session.ts';
import { ProofStore } from '#src/proofs/store-proofs.ts';
import type { MarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { makeDatabase } from './temporary-database.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Renders in the test's own thread: a rendering thread takes 100 ms of CPU time to start. */
const renderer: MarkdownRenderer = {
  render: async (markdowns) => new Map(Array.from(markdowns, (text) => [text, renderMarkdown(text)])),
  close: async () => {},
};

let made = 0;

/** A record that is valid and like no other. */
export function makeRecord(facts: Partial<ImportRecordInput> = {}): ImportRecordInput {
  made += 1;
  return {
    id: String(100_000_000_000_000_000n + BigInt(made)),
    name: `nick ${made}`,
    reason: `Powód ${made}.`,
    verified: true,
    reportedAt: NOW - made * 1000,
    ...facts,
  };
}

/** Imports records into a list. @param folder where the files of proofs are */
export async function importRecords(
  db: Database,
  list: ListKind,
  records: Iterable<ImportRecordInput>,
  now = NOW,
  folder = '',
): Promise<void> {
  using files = new ProofStore(db);
  await (await stageRecords(db, list, records, { now, files }, folder)).commit();
}

export async function makeLists(
  lists: Readonly<Partial<Record<ListKind, readonly Partial<ImportRecordInput>[]>>>,
  now = NOW,
): Promise<Database> {
  const db = await makeDatabase();
  for (const list of LIST_KINDS) await importRecords(db, list, (lists[list] ?? []).map(makeRecord), now);
  return db;
}

/** @param folder where the files of proofs are */
export async function stageRecords(
  db: Database,
  list: ListKind,
  records: Iterable<ImportRecordInput>,
  options: Pick<StagingOptions, 'now' | 'files' | 'renderer'>,
  folder = '',
): Promise<StagingSession> {
  const { seq: comparedAtSeq } = readLogHead(db);
  const session = new StagingSession(db, list, { renderer, comparedAtSeq, ...options });
  let line = 0;
  for (const record of records) {
    const checked = parseImportRecord(record, list);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    line += 1;
    const names = listFileNames(record);
    const named = names.map((fileName) => [fileName, { source: join(folder, fileName), fileName }] as const);
    await session.add(checked.record, line, new Map(named));
  }
  await session.settle();
  if (session.problemCount > 0) throw new Error(JSON.stringify(session.problems));
  return session;
}

/** @returns what makes the import, which has no files, count, in a transaction of the caller */
export async function prepareImport(
  db: Database,
  list: ListKind,
  records: Iterable<ImportRecordInput>,
  now: number,
): Promise<(tx: Transaction) => void> {
  const { seq: comparedAtSeq } = readLogHead(db);
  await stageRecords(db, list, records, { now });
  return (tx) => writeStagedEntries(tx, { comparedAtSeq, now });
}

/** Gives an entry a number that earlier versions took. */
export function giveOldNumber(db: Database, chatId: string, reportId: string): void {
  const entryId = entryIdOf(reportId);
  const of = 'entry_id = (SELECT entry_id FROM entries WHERE chat_id = ?)';
  db.statement(`UPDATE changes SET entry_id = ? WHERE ${of}`).run(entryId, chatId);
  const update = db.statement('UPDATE entries SET report_id = ?, entry_id = ? WHERE chat_id = ?');
  update.run(reportId, entryId, chatId);
  const row = db.statement<EntryRow>('SELECT * FROM entries WHERE chat_id = ?').get(chatId) as EntryRow;
  db.write((tx) => replaceShown(tx, row, readContent(db, row.row)));
}

/**
 * Makes an entry of the trusted list unverified: no command writes such a row, and one that there is must not be served.
 * @param name or chat ID
 */
export function unverifyTrusted(db: Database, name: string): void {
  const row = db
    .statement<EntryRow>("SELECT * FROM entries WHERE list = 'legit' AND ? IN (name, chat_id)")
    .get(name);
  if (!row) throw new Error(`the trusted list has no ${name}`);
  writeEntries(db, [{ ...toWrite(row), verified: 0 }], { comparedAtSeq: readLogHead(db).seq, now: NOW });
}
