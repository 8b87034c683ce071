import { copyFileSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { insertManyEntries } from '../../support/many-entries.ts';
import { makeCommandLine, toNdjson, type Operator } from '../../support/run-czujka.ts';
import { numberedRecords, readState } from '../../support/stage-import.ts';
import { startProcess } from '../../support/start-process.ts';
import { trials } from '../../support/trials.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

/** For machines that do a lot beside. */
const LARGE_TEST_TIMEOUT_MS = 240_000;

async function writeRecords(operator: Operator, name: string, records: Iterable<object>): Promise<void> {
  const stream = createWriteStream(join(operator.folder, name));
  for (const record of records) {
    if (!stream.write(`${JSON.stringify(record)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

/** All that counts in a database, row by row. */
function readRows(db: Database): unknown[] {
  return ['entries', 'contents', 'published', 'changes', 'tombstones'].map((table) =>
    db.connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );
}

describe('a large import', () => {
  it('takes no more memory for more records', { timeout: LARGE_TEST_TIMEOUT_MS }, async () => {
    const operator = makeCommandLine();
    await writeRecords(operator, 'in.ndjson', sampleRecords('scammers', { count: 10_000, seed: 1 }));
    const { code, stdout, stderr } = await operator.spawn(['import', 'in.ndjson', '--list', 'scammers'], {
      script: join(import.meta.dirname, '../../support/czujka-memory.ts'),
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'added 10000, updated 0, unchanged 0, rejected 0\n',
    });
    expect(Number(stderr)).toBeGreaterThan(0);
    expect(Number(stderr)).toBeLessThan(400 * 1024);
  });
});

/** Resolves when an import has taken nearly all of the records from its standard input. */
async function feed(child: ReturnType<Operator['start']>, records: readonly object[]): Promise<void> {
  if (!child.stdin.write(toNdjson(records))) await once(child.stdin, 'drain');
}

describe('a large import that is killed while it makes its entries count', () => {
  const PRESENT = 700;
  const COUNT = 1_500;
  const RANDOM_KILLS = trials(1, 30);
  /** Making so many count takes about as long. */
  const KILLED_WITHIN_MS = 100;
  const random = new Random(20261122);

  /** Path of a database with PRESENT entries, and what it holds. */
  let source: string;
  let before: unknown;
  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', numberedRecords(1, PRESENT));
    await importRecords(db, 'servers', numberedRecords(5_001, 5_020));
    db.connection.pragma('wal_checkpoint(TRUNCATE)');
    before = readState(db);
    db.close();
    source = db.path;
  });

  const copySource = (): string => {
    const path = join(makeFolder(), 'czujka.db');
    copyFileSync(source, path);
    return path;
  };

  const countListed = (db: Database): unknown =>
    db.connection.prepare("SELECT count(*) FROM entries WHERE list = 'scammers'").pluck().get();

  /** @param moment at which it kills itself */
  const startImport = (path: string, moment: string) =>
    startProcess(join(import.meta.dirname, '../../support/import-process.ts'), {
      cwd: dirname(path),
      args: [path, String(COUNT), moment],
    });

  /**
   * That the import is in it as a whole or not at all, and that others write as ever.
   * @returns whether it is in it
   */
  async function check(path: string, again: boolean): Promise<boolean> {
    const db = openDatabase(path, 'write');
    try {
      const isIn = countListed(db) === COUNT;
      if (!isIn) expect(readState(db)).toEqual(before);
      expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.connection.pragma('foreign_key_check')).toEqual([]);
      removeEntry(db, 'scammers', numberedRecords(7, 7)[0]?.id ?? '', 'mistake', NOW);
      if (again && !isIn) {
        // What is left does not hinder the next one.
        expect(await startImport(path, 'never').ended).toMatchObject({ code: 0, stderr: '' });
        expect(countListed(db)).toBe(COUNT);
      }
      return isIn;
    } finally {
      db.close();
    }
  }

  it.each([[`entries ${COUNT / 2}`], [`published ${COUNT / 2}`], [`changes ${COUNT}`]])(
    'at the moment "%s"',
    async (moment) => {
      const path = copySource();
      expect(await startImport(path, moment).ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      expect(await check(path, false)).toBe(false);
    },
  );

  it('at any moment', async () => {
    for (let kill = 0; kill < RANDOM_KILLS; kill += 1) {
      const path = copySource();
      const child = startImport(path, 'never');
      await child.logged({ msg: 'staged' });
      await setTimeout(random.below(KILLED_WITHIN_MS));
      child.child.kill('SIGKILL');
      await child.ended;
      await check(path, kill % 8 === 0);
    }
  });
});

describe('an import beside another writer', () => {
  /** Starts an import from standard input and resolves when its first records are taken. */
  async function startImport(operator: Operator, ...more: readonly object[]) {
    const child = operator.start(['import', '-', '--list', 'scammers']);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text) => (texts[name] += String(text)));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...texts }));
    await feed(child, [...more, ...Array.from({ length: 3_000 }, () => makeRecord())]);
    return { child, ended };
  }

  const ADD = 'entry add 1 --odd-id --list scammers --name quicker --reason x'.split(' ');

  it('is refused when the other one changed one of its entries, and changes nothing', async () => {
    const operator = makeCommandLine();
    await operator.succeed('migrate');
    const { child, ended } = await startImport(operator, makeRecord({ id: '1' }));
    await operator.succeed(...ADD, '--by', 'ewa');
    const before = operator.read(readRows);
    child.stdin.end();
    expect(await ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /could not run: the entry 1 of scammers was changed meanwhile at 20\S+Z by ewa; nothing was written; run the command again\n/,
      ) as string,
    });
    expect(operator.read(readRows)).toEqual(before);
  });

  it(
    'loses nothing while entries of another list are added at every moment of it',
    { timeout: LARGE_TEST_TIMEOUT_MS },
    async () => {
      const operator = makeCommandLine();
      await operator.succeed('migrate');
      const db = openDatabase(operator.databasePath, 'write');
      insertManyEntries(db, 3_000);
      db.close();
      await operator.succeed('import', operator.file('legit.ndjson', [makeRecord()]), '--list', 'legit');
      const records = Array.from({ length: 8_000 }, () => makeRecord());
      await writeRecords(operator, 'in.ndjson', records);
      let isOver = false;
      const importing = operator.spawn(['import', 'in.ndjson', '--list', 'scammers']).finally(() => {
        isOver = true;
      });
      const added: string[] = [];
      while (added.length < 3 || !isOver) {
        const id = `server-${added.length}`;
        const add = ['entry', 'add', id, '--odd-id', '--list', 'servers', '--name', id, '--reason', 'x'];
        expect(await operator.run(add)).toMatchObject({ code: 0, stderr: '' });
        added.push(id);
      }
      expect(await importing).toEqual({
        code: 0,
        stdout: 'added 8000, updated 0, unchanged 0, rejected 0\n',
        stderr: '',
      });
      operator.read((read) => {
        expect(read.connection.pragma('integrity_check', { simple: true })).toBe('ok');
        expect(read.connection.pragma('foreign_key_check')).toEqual([]);
        const idsOf = (list: string): unknown[] =>
          read.connection
            .prepare('SELECT chat_id FROM entries WHERE list = ? ORDER BY row')
            .pluck()
            .all(list);
        expect(idsOf('scammers').slice(3_000)).toEqual(records.map(({ id }) => id));
        expect(idsOf('scammers')).toHaveLength(11_000);
        expect(idsOf('servers')).toEqual(added);
        expect(idsOf('legit')).toHaveLength(1);
        const logged = 'SELECT count(DISTINCT entry_id) FROM changes';
        expect(read.connection.prepare(logged).pluck().get()).toBe(8_001 + added.length);
      });
    },
  );

  it('ends with one sentence when a write fails', async () => {
    const operator = makeCommandLine();
    await operator.succeed(...'entry add 1 --odd-id --list scammers --name one --reason x'.split(' '));
    const db = openDatabase(operator.databasePath, 'write');
    db.connection.exec(
      "CREATE TRIGGER full BEFORE INSERT ON published BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    db.close();
    const before = operator.read(readRows);
    const input = toNdjson(Array.from({ length: 3_000 }, () => makeRecord()));
    const outcome = await operator.run(['import', '-', '--list', 'scammers'], { input });
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: 'could not run: disk is full\n' });
    expect(operator.read(readRows)).toEqual(before);
  });
});
