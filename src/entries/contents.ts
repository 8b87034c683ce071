/**
 * The texts and proofs of entries. Never changed once written: a writer inserts new ones, points the entry at them, and
 * removes the old. Those that no entry points at are invisible to every public query.
 */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { YieldLock } from '../db/yield-write-lock.ts';

export interface Content {
  /** Markdown. */
  readonly reason: string;
  /** Rendered and sanitized. */
  readonly descHtml: string;
  readonly proofItems: readonly ProofItem[];
}

export interface ProofItem {
  /** Markdown. */
  readonly text: string | null;
  readonly textHtml: string | null;
  readonly url: string | null;
  readonly fileSha256: string | null;
  readonly fileName: string | null;
  readonly caption: string | null;
}

/** Contents deleted in one transaction; overwriting the freed pages takes time, and others wait for the lock. */
const DELETE_STEP = 500;
/** Longer than any import takes, with thousands of pictures too. */
const ORPHAN_AGE_MS = 5.5 * 3_600_000;
/** Visits that are closer to the one before are not noted, so that a worker that starts often does not heap them up. */
const VISIT_GAP_MS = 0.5 * 3_600_000;
const VISITS_PROPERTY = 'contents_visits';

interface Visit {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The largest number that there was. */
  readonly newest: number;
}

/** @returns the number that an entry refers to it by */
export function insertContent(db: Database, content: Content): number {
  const { lastInsertRowid } = db
    .statement('INSERT INTO contents (reason, desc_html) VALUES (?, ?)')
    .run(content.reason, content.descHtml);
  insertProofItems(db, Number(lastInsertRowid), content.proofItems);
  return Number(lastInsertRowid);
}

/** For a database that no process reads yet. */
export function replaceContent(
  db: Database,
  number: number,
  { reason, descHtml, proofItems }: Content,
): void {
  db.statement('UPDATE contents SET reason = ?, desc_html = ? WHERE content = ?').run(
    reason,
    descHtml,
    number,
  );
  db.statement('DELETE FROM proof_items WHERE content = ?').run(number);
  insertProofItems(db, number, proofItems);
}

function insertProofItems(db: Database, content: number, items: readonly ProofItem[]): void {
  for (const [position, item] of items.entries())
    db.statement(
      `INSERT INTO proof_items (content, position, text, text_html, url, file_sha256, file_name, caption)
       VALUES (@content, @position, @text, @textHtml, @url, @fileSha256, @fileName, @caption)`,
    ).run({ ...item, content, position });
}

/** @throws when there is none of this number */
export function getContent(db: Database, number: number): Content {
  const row = db.first(db.sql.selectFrom('contents').selectAll().where('content', '=', number));
  if (!row) throw new Error(`content ${number} is missing`);
  return {
    reason: row.reason,
    descHtml: row.desc_html,
    proofItems: listProofItems(db, number),
  };
}

export function listProofItems(db: Database, number: number): ProofItem[] {
  return db
    .all(db.sql.selectFrom('proof_items').selectAll().where('content', '=', number).orderBy('position'))
    .map((row) => ({
      text: row.text,
      textHtml: row.text_html,
      url: row.url,
      fileSha256: row.file_sha256,
      fileName: row.file_name,
      caption: row.caption,
    }));
}

/** Markdown; undefined when there is none of this number. */
export function findReason(db: Database, number: number): string | undefined {
  return db.statement<{ reason: string }>('SELECT reason FROM contents WHERE content = ?').get(number)
    ?.reason;
}

export function sameProofs(some: readonly ProofItem[], others: readonly ProofItem[]): boolean {
  return JSON.stringify(some.map(comparable)) === JSON.stringify(others.map(comparable));
}

/** Whether some that there were are not there any more, or not as they were. */
export function lacksProofs(items: readonly ProofItem[], before: readonly ProofItem[]): boolean {
  if (before.length === 0) return false;
  const present = new Set(items.map(comparable));
  return before.some((item) => !present.has(comparable(item)));
}

/** Files are compared by their bytes: in an export the same file has another name. */
function comparable({ text, url, fileSha256, caption }: ProofItem): string {
  return JSON.stringify([text, url, fileSha256, caption]);
}

/**
 * Removes contents in short transactions of their own.
 * @param yieldLock called after each of them
 */
export function deleteContents(
  db: Database,
  numbers: readonly number[],
  yieldLock: YieldLock = () => {},
): void {
  for (let start = 0; start < numbers.length; start += DELETE_STEP) {
    const startedAt = performance.now();
    db.write(() => {
      for (const number of numbers.slice(start, start + DELETE_STEP)) {
        db.statement('DELETE FROM contents WHERE content = ?').run(number);
      }
    });
    yieldLock(performance.now() - startedAt);
  }
}

/**
 * Removes what an ended import left behind: contents that no entry refers to, and that were there already at a visit
 * at least ORPHAN_AGE_MS ago, so that a running import keeps its own. Visited every hour, nothing stays for longer
 * than eight.
 * @param now epoch milliseconds
 * @returns how many were removed
 */
export function pruneContents(db: Database, now: number): number {
  // After a clock that was set back, visits in its future tell nothing.
  const visits = readVisits(db).filter(({ at }) => at <= now);
  const seen = visits.findLastIndex(({ at }) => now - at >= ORPHAN_AGE_MS);
  const orphans = db
    .statement<{ content: number }>(
      `SELECT content FROM contents WHERE content <= ?
       AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.content = contents.content)`,
    )
    .all(visits[seen]?.newest ?? 0)
    .map((row) => row.content);
  deleteContents(db, orphans);
  const kept = visits.slice(Math.max(seen, 0));
  if (now - (visits.at(-1)?.at ?? 0) >= VISIT_GAP_MS) kept.push({ at: now, newest: readNewest(db) });
  setProperty(db, VISITS_PROPERTY, JSON.stringify(kept));
  return orphans.length;
}

function readNewest(db: Database): number {
  return (
    db.statement<{ newest: number }>('SELECT coalesce(max(content), 0) AS newest FROM contents').get()
      ?.newest ?? 0
  );
}

/** Oldest first. */
function readVisits(db: Database): readonly Visit[] {
  return JSON.parse(findProperty(db, VISITS_PROPERTY) ?? '[]') as Visit[];
}
