/** After a removal nothing of the person is left: not in the database file, its WAL, nor in any file beside it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { eraseRemoved } from '#src/worker/erase-removed.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { makeRecord } from '../support/make-entries.ts';
import { makeImage, METADATA_MARKER } from '../support/make-image.ts';
import { makeOperator } from '../support/run-czujka.ts';
import type { Operator } from '../support/run-czujka.ts';

const MARK = 'Znacznik7f3a';
const ID = '777000777000777000';
const ON = ['--list', 'scammers'] as const;

/** An operator with some hundred entries, one of which is marked in every field. */
async function operatorWithMarkedEntry(): Promise<Operator> {
  const operator = makeOperator();
  const image = makeImage()
    .jpeg()
    .withExif({ IFD0: { Artist: METADATA_MARKER } });
  operator.file('in/marked.jpg', await image.toBuffer());
  const others = Array.from({ length: 400 }, (_, index) =>
    makeRecord({ reason: `Powód ${index}. `.repeat(1 + (index % 40)) }),
  );
  const marked = makeRecord({
    id: ID,
    name: `${MARK} imię`,
    reason: `${MARK} `.repeat(600),
    proofs: {
      private: false,
      items: [
        { text: `${MARK} dowód`, caption: `${MARK} podpis`, url: `https://example.com/${MARK}` },
        { file: 'marked.jpg' },
      ],
    },
  });
  operator.file('in/in.ndjson', [...others.slice(0, 200), marked, ...others.slice(200)]);
  await operator.do('import', 'in/in.ndjson', ...ON);
  await operator.do('entry', 'edit', ID, ...ON, '--name', `${MARK} inaczej`, '--reason', `${MARK} krótko`);
  const db = openDatabase(operator.databasePath, 'write');
  // The planner's samples hold keys of the indexes.
  db.connection.exec('ANALYZE');
  // A large import that was killed leaves its copy of the entries.
  db.connection.exec(`CREATE TABLE entries_next AS SELECT * FROM entries;
    CREATE INDEX next_entries_az ON entries_next (name)`);
  db.close();
  return operator;
}

/** Files under data/ that hold something of the marked entry. */
function findTraces(operator: Operator): string[] {
  const marks = [MARK, MARK.toLowerCase(), ID, METADATA_MARKER].map((mark) => Buffer.from(mark));
  return globSync('data/**/*', { cwd: operator.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return marks.some((mark) => bytes.includes(mark));
    });
}

describe('entry remove', () => {
  it('leaves no trace of name, ID, text or proof, and a tombstone that tells when and why', async () => {
    const operator = await operatorWithMarkedEntry();
    expect(findTraces(operator).length).toBeGreaterThan(1);
    // Somebody reads all the while, as the web process does.
    const reader = openDatabase(operator.databasePath, 'read');
    const entry = reader
      .statement<{ entry_id: string; report_id: string }>('SELECT * FROM entries WHERE chat_id = ?')
      .get(ID);
    expect(await operator.json('entry', 'remove', ID, ...ON, '--reason', 'request')).toEqual({
      list: 'scammers',
      id: ID,
      removed: true,
      alsoIn: [],
      reason: 'request',
    });
    expect(findTraces(operator)).toEqual([]);
    expect(existsSync(join(operator.folder, 'data/proofs/originals'))).toBe(true);
    expect(reader.connection.pragma('integrity_check', { simple: true })).toBe('ok');
    reader.close();
    const [shown] = await operator.json<{ history: { op: string }[] }[]>(
      'entry',
      'show',
      entry?.report_id ?? '',
    );
    expect(shown).toMatchObject({
      list: 'scammers',
      _id: entry?.entry_id,
      reportId: entry?.report_id,
      reason: 'request',
    });
    expect(shown?.history.map(({ op }) => op)).toEqual(['added', 'updated', 'removed']);
    expect(Object.keys(shown ?? {})).toEqual(['list', '_id', 'reportId', 'removedAt', 'reason', 'history']);
    expect(await operator.do('entry', 'show', entry?.entry_id ?? '')).toMatch(/removed: request\n$/);
  });

  it('is made good by the worker when it was ended half-way', async () => {
    const operator = await operatorWithMarkedEntry();
    const db = openDatabase(operator.databasePath, 'write');
    removeEntry(db, 'scammers', ID, 'mistake', Date.now());
    expect(findTraces(operator).length).toBeGreaterThan(0);
    expect(await eraseRemoved(db, join(operator.folder, 'data'))).toBe(1);
    expect(findTraces(operator)).toEqual([]);
    expect(await eraseRemoved(db, join(operator.folder, 'data'))).toBe(0);
    db.close();
  });

  it('asks a person for the reason, and removes nothing for another word', async () => {
    const operator = makeOperator();
    await operator.do('import', operator.file('in.ndjson', [makeRecord({ id: ID })]), ...ON);
    expect(await onTerminal(operator, `entry remove ${ID} --list scammers`, 'boredom')).toContain(
      'the reason must be one of appeal, mistake, request, duplicate, other; nothing was removed',
    );
    expect(operator.read((db) => db.statement('SELECT count(*) AS count FROM entries').get())).toEqual({
      count: 1,
    });
    expect(await onTerminal(operator, `entry remove ${ID} --list scammers`, 'appeal')).toContain(
      `removed ${ID} from scammers: appeal`,
    );
  });
});

/** Runs a command on a terminal of its own and answers its question. @returns what stands on the terminal then */
function onTerminal(operator: Operator, command: string, answer: string): Promise<string> {
  const czujka = join(import.meta.dirname, '../../scripts/czujka.ts');
  const child = spawn('script', ['-qec', `${process.execPath} ${czujka} ${command}`, '/dev/null'], {
    cwd: operator.folder,
    env: cleanEnvironment({ DATABASE_PATH: operator.databasePath }),
  });
  return new Promise((resolve, reject) => {
    let seen = '';
    let answered = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
      if (answered || !seen.includes('Why is it removed?')) return;
      answered = true;
      child.stdin.write(`${answer}\n`);
    });
    child.on('error', reject);
    child.on('close', () => resolve(seen));
  });
}
