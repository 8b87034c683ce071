/**
 * This measures a service after a year: 200,000 entries, 20,000 removals, 5,000 donations. Verbs run beside a web process
 * and a worker, while a client searches without a pause.
 */
import { cpSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sqlBuilder, openDatabase, type Database } from '#src/db/database.ts';
import { createDonation } from '#src/donations/write-donation.ts';
import { getDemoKey } from '../sample/demo-donations.ts';
import { DEMO_TERMS } from '../sample/demo-settings.ts';
import { sampleRecords } from '../sample/sample-records.ts';
import { measureLock, type Figure } from './figures.ts';
import { medianOf } from './measure-case.ts';
import { end, makeSeeded, measureUsage, runVerb, startFile, startWeb } from './processes.ts';

const ENTRIES = 220_000;
const REMOVED = 20_000;
const DONATIONS = 5_000;
const MANY = 100_000;
const HOUR_MS = 3_600_000;
/** Other records than those of the database. */
const OTHER_SEED = 2;
const VERB_RUNS = 3;
const SEARCH_PAUSE_MS = 20;
const READY_PAUSE_MS = 50;
const SEARCH = '/api/scammers?search=';

export async function measureYear(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-year-'));
  try {
    const source = await makeSeeded('year', ['--count', String(ENTRIES)], storeDonations);
    cpSync(dirname(source), folder, { recursive: true });
    const path = join(folder, 'czujka.db');
    using db = openDatabase(path, 'write');
    const first = await startService(path);
    const removed = await measureSearched(db, first.origin, () => removeEntries(db, 'scammers', REMOVED));
    await first.end();
    const service = await startService(path);
    const verbs = measureVerbs(db);
    const file = join(folder, 'servers.ndjson');
    const others = sampleRecords('servers', { count: MANY, seed: OTHER_SEED });
    writeFileSync(file, [...others].map((record) => `${JSON.stringify(record)}\n`).join(''));
    await runVerb(path, ['import', file, '--list', 'servers', '--yes']);
    const undone = await measureSearched(db, service.origin, () =>
      runVerb(path, ['import', '--undo', '--yes']),
    );
    const removedMany = await measureSearched(db, service.origin, () => removeEntries(db, 'scammers', MANY));
    await service.end();
    return [
      ['year: first start', first.seconds, '≤ 60 s'],
      ['year: start', service.seconds, '≤ 10 s'],
      ...name(`entry remove -, ${REMOVED}`, removed),
      ...verbs,
      ...name(`import --undo, ${MANY}`, undone),
      ...name(`entry remove -, ${MANY}`, removedMany),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function storeDonations(path: string): void {
  using db = openDatabase(path, 'write');
  const key = getDemoKey();
  db.write(() => {
    for (let index = 0; index < DONATIONS; index += 1)
      createDonation(db, {
        to: key.derive(index),
        ...DEMO_TERMS,
        required_confirmations: 6,
        created_at: Date.now(),
        expires_at: Date.now() + HOUR_MS,
      });
  });
}

/** @returns a web process and a worker, once they are ready and searches answer */
async function startService(path: string) {
  const startedAt = performance.now();
  const worker = startFile('src/worker/main.ts', {}, { DATABASE_PATH: path });
  const web = await startWeb(path);
  for (const asked of ['/readyz', `${SEARCH}zaliczka`])
    while (!(await fetch(web.origin + asked)).ok) await setTimeout(READY_PAUSE_MS);
  return {
    origin: web.origin,
    seconds: (performance.now() - startedAt) / 1_000,
    end: () => Promise.all([web.child, worker].map(end)),
  };
}

/** Counts refused searches until the verb and what follows from it are done. */
async function measureSearched(db: Database, origin: string, verb: () => Promise<number>) {
  let isOver = false;
  const searching = (async () => {
    let refused = 0;
    for (let asked = 0; !isOver; asked += 1) {
      const response = await fetch(`${origin}${SEARCH}${asked.toString(36)}`);
      await response.arrayBuffer();
      if (!response.ok && response.status !== 429) refused += 1;
      await setTimeout(SEARCH_PAUSE_MS);
    }
    return refused;
  })();
  try {
    const measured = await measureLock(db, verb);
    while (!(await fetch(`${origin}/readyz`)).ok) await setTimeout(READY_PAUSE_MS);
    isOver = true;
    return { ...measured, refused: await searching };
  } finally {
    isOver = true;
  }
}

type Searched = Awaited<ReturnType<typeof measureSearched>>;

function name(verb: string, { seconds, lockSeconds, refused }: Searched): Figure[] {
  return [
    [`year: ${verb}`, seconds, '≤ 60 s'],
    [`year: ${verb}: longest lock`, lockSeconds, '≤ 3 s'],
    [`year: ${verb}: refused searches`, refused, '≤ 0'],
  ];
}

function removeEntries(db: Database, list: 'scammers', count: number): Promise<number> {
  const entries = sqlBuilder.selectFrom('entries').select('chat_id').where('list', '=', list);
  const rows = db.all(entries.where('chat_id', 'is not', null).orderBy('row').limit(count));
  const file = `${db.path}.ids`;
  writeFileSync(file, rows.map(({ chat_id: id }) => `${id}\n`).join(''));
  const verb = ['entry', 'remove', '-', '--list', list, '--reason', 'mistake'];
  return runVerb(db.path, verb, openSync(file, 'r'));
}

function measureVerbs(db: Database): Figure[] {
  const entries = sqlBuilder.selectFrom('entries').select('chat_id').where('list', '=', 'scammers');
  const [{ chat_id: id } = { chat_id: '' }] = db.all(entries.orderBy('row', 'desc').limit(1));
  const verbs: readonly (readonly [floor: string, ...args: string[]])[] = [
    ['≤ 0.6 s', 'entry', 'show', String(id)],
    ['≤ 0.8 s', 'entry', 'list', '--list', 'scammers'],
    ['≤ 1.5 s', 'entry', 'list', '--list', 'scammers', '--search', 'zaliczka'],
    ['≤ 5 s', 'lookalikes'],
    ['≤ 2 s', 'doctor'],
  ];
  return verbs.map(([floor, ...args]) => {
    const times = Array.from({ length: VERB_RUNS }, () => measureUsage(db.path, args).seconds);
    const shown = args.filter((word) => word !== id && word !== 'zaliczka').join(' ');
    return [`year: ${shown}`, medianOf(times), floor];
  });
}
