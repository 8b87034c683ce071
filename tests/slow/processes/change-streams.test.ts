/** Many listeners to the changes at once, in the process that production runs. */
import { expect, it } from 'vitest';
import type { Change } from '#src/entries/mirror-schema.ts';
import { listen, type Heard } from '../../support/listen.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { startServer } from '../../support/server-process.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const READERS = 1_000;
const PER_ADDRESS = 20;
const OPENED_AT_ONCE = 50;
it('a thousand readers hear the same change, once each', async () => {
  const db = await makeDatabase();
  const server = await startServer({ DATABASE_PATH: db.path });
  const readers: Heard[] = [];
  while (readers.length < READERS) {
    const more = Array.from({ length: OPENED_AT_ONCE }, (_, place) => {
      const address = Math.floor((readers.length + place) / PER_ADDRESS);
      return listen(server.port, '/api/changes/events', { from: `127.0.2.${1 + address}` });
    });
    readers.push(...(await Promise.all(more)));
  }
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));

  await importRecords(db, 'scammers', [makeRecord({ id: '7' })]);
  const from = performance.now();
  const told = await Promise.all(readers.map((reader) => reader.next()));
  const ms = Math.round(performance.now() - from);
  process.stdout.write(`${READERS} readers heard it within ${ms} ms
`);
  for (const { data } of told) expect((JSON.parse(data) as Change).seq).toBe(1);
  await importRecords(db, 'scammers', [makeRecord({ id: '8' })]);
  const next = await Promise.all(readers.map((reader) => reader.next()));
  for (const { data } of next) expect((JSON.parse(data) as Change).seq).toBe(2);
  for (const reader of readers) reader.close();
});
