/** Many listeners to the changes at once, in the process that production runs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Change } from '#src/entries/mirror-schema.ts';
import { listen } from '../support/listen.ts';
import type { Heard } from '../support/listen.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { startServer } from '../support/server-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const READERS = 1_000;
const PER_ADDRESS = 20;
const OPENED_AT_ONCE = 50;
/** Of one listener who hears nothing: a connection of Node's own takes most of it. */
const IDLE_MAX_KB = 30;

const anonymousKb = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

it.runIf(process.platform === 'linux')('a thousand readers hear the same change, once each', async () => {
  const db = await makeDatabase();
  const server = await startServer({ DATABASE_PATH: db.path });
  const before = anonymousKb(server.process.pid ?? 0);
  const readers: Heard[] = [];
  while (readers.length < READERS) {
    const more = Array.from({ length: OPENED_AT_ONCE }, (_, place) => {
      const address = Math.floor((readers.length + place) / PER_ADDRESS);
      return listen(server.port, '/api/changes/events', { from: `127.0.2.${1 + address}` });
    });
    readers.push(...(await Promise.all(more)));
  }
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
  const kbEach = (anonymousKb(server.process.pid ?? 0) - before) / READERS;
  expect(kbEach).toBeLessThan(IDLE_MAX_KB);

  await importRecords(db, 'scammers', [makeRecord({ id: '7' })]);
  const from = performance.now();
  const told = await Promise.all(readers.map((reader) => reader.next()));
  const ms = Math.round(performance.now() - from);
  process.stdout.write(`${READERS} readers heard it ${ms} ms after it was written; ${kbEach.toFixed(1)} kB each\n`);
  for (const { data } of told) expect((JSON.parse(data) as Change).seq).toBe(1);
  await importRecords(db, 'scammers', [makeRecord({ id: '8' })]);
  const next = await Promise.all(readers.map((reader) => reader.next()));
  for (const { data } of next) expect((JSON.parse(data) as Change).seq).toBe(2);
  for (const reader of readers) reader.close();
});
