import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const KILLS = trials(2, 20);
/** A process that has run for 20 s is started again at once; each of the two is killed at every second turn. */
const PAUSE_MS = trials(500, 10_500);
/** An import that is not killed takes about as long. */
const IMPORT_MS = 1_000;

it(
  `${KILLS} kills of web process and worker, and kills of imports, leave right answers and every acknowledged import`,
  { timeout: trials(240_000, 1_800_000) },
  async () => {
    const service = await startFaultyService();
    let isOver = false;
    const count = { kept: 0, killed: 0 };
    const importing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const isKilled = at % 2 === 1;
        const isKept = await service.write({
          count: 60,
          ...(isKilled && { killAfterMs: Math.random() * IMPORT_MS }),
        });
        count[isKept ? 'kept' : 'killed'] += 1;
      }
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await setTimeout(PAUSE_MS);
      process.kill(service.pidOf(kill % 2 === 0 ? 'web' : 'worker'), 'SIGKILL');
      await service.untilRight();
    }
    isOver = true;
    await importing;
    expect(count.kept).toBeGreaterThan(0);
    await service.expectRecovery();
  },
);

const ROUNDS = trials(3, 60);

it(
  `${ROUNDS} kills of an import, and of what takes it back, leave the list as before or as after it`,
  { timeout: trials(120_000, 1_200_000) },
  async () => {
    const operator = await makeMigratedCommandLine();
    const records = Array.from({ length: 600 }, (_, at) => makeRecord({ reportId: `R-${at}`, views: at }));
    await operator.fill('scammers', ...records.slice(0, 500));
    const changed = records.map((record) => ({
      ...record,
      name: `inny ${record.name}`,
      reason: 'Inny powód.',
    }));
    const given = ['--list', 'scammers', '--yes'];
    const verbs = [
      ['import', operator.file('in.ndjson', changed), ...given],
      ['import', '--undo'],
    ];
    const read = () => operator.succeed('export', '--list', 'scammers');
    const before = await read();
    const lasting: number[] = [];
    for (const verb of verbs) {
      const askedAt = performance.now();
      expect(await operator.spawn(verb)).toMatchObject({ code: 0 });
      lasting.push(performance.now() - askedAt);
      if (lasting.length === 1) expect(await read()).not.toBe(before);
    }
    expect(await read()).toBe(before);
    await operator.succeed(...(verbs[0] ?? []));
    const after = await read();
    await operator.succeed('import', '--undo');

    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, verb] of verbs.entries()) {
        const child = operator.start(verb);
        const ended = once(child, 'exit');
        // The first half is the start of the process.
        void setTimeout((lasting[at] ?? 0) * (0.4 + 0.6 * Math.random())).then(() => child.kill('SIGKILL'));
        await ended;
        const [from, to] = at === 0 ? [before, after] : [after, before];
        const found = await read();
        expect([from, to]).toContain(found);
        if (found === from) await operator.succeed(...verb);
        expect(await read()).toBe(to);
      }
    operator.read((db) => expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok'));
  },
);
