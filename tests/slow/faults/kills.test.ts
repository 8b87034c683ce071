import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const KILLS = trials(2, 20);
/** A process that has run for 20 s is started again at once; each of the two is killed at every second turn. */
const PAUSE_MS = trials(500, 10_500);
const IMPORT_MS = 1_000;

it(
  `${KILLS} kills of web process and worker, and kills of imports, leave right answers and every acknowledged import`,
  { timeout: trials(240_000, 1_800_000) },
  async () => {
    const service = await startFaultyService();
    let isOver = false;
    let kept = 0;
    const importing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const isKilled = at % 2 === 1;
        const killAfterMs = isKilled ? Math.random() * IMPORT_MS : undefined;
        if (await service.write({ count: 60, killAfterMs })) kept += 1;
      }
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await setTimeout(PAUSE_MS);
      process.kill(service.pidOf(kill % 2 === 0 ? 'web' : 'worker'), 'SIGKILL');
      await service.untilRight();
    }
    isOver = true;
    await importing;
    expect(kept).toBeGreaterThan(0);
    await service.expectRecovery();
  },
);

const ROUNDS = trials(3, 60);

it(
  `${ROUNDS} kills of an import leave the list as before or as after it, and what takes it back goes on after a kill`,
  { timeout: trials(120_000, 1_200_000) },
  async () => {
    const operator = await makeMigratedCommandLine();
    const records = Array.from({ length: 600 }, (_, at) => makeRecord({ reportId: `R-${at}`, views: at }));
    await operator.fill('scammers', ...records.slice(0, 500));
    const changed = records.map((record) => ({ ...record, name: `inny ${record.name}`, reason: 'Inny.' }));
    const file = operator.file('in.ndjson', changed);
    const read = () => operator.succeed('export', '--list', 'scammers');
    /** @returns its milliseconds and the list after it */
    const measure = async (...verb: readonly string[]) => {
      const askedAt = performance.now();
      expect(await operator.spawn(verb)).toMatchObject({ code: 0 });
      return { verb, lasting: performance.now() - askedAt, after: await read() };
    };
    const before = await read();
    const done = await measure('import', file, '--list', 'scammers', '--yes');
    const undone = await measure('import', '--undo', '--yes');
    expect(undone.after).toBe(before);
    expect(done.after).not.toBe(before);

    for (let round = 0; round < ROUNDS; round += 1)
      for (const [{ verb, lasting, after }, from] of [
        [done, undone.after],
        [undone, done.after],
      ] as const) {
        const child = operator.start(verb);
        const ended = once(child, 'exit');
        // The first half is the start of the process.
        void setTimeout(lasting * (0.4 + 0.6 * Math.random())).then(() => child.kill('SIGKILL'));
        await ended;
        const found = await read();
        if (verb === done.verb) expect([from, after]).toContain(found);
        if (found !== after) await operator.succeed(...verb);
        expect(await read()).toBe(after);
      }
    operator.read((db) => expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok'));
  },
);
