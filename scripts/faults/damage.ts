/** The database file is emptied, cut, damaged or robbed of its log; a backup brings it back, also while it serves. */
import assert from 'node:assert/strict';
import { openSync, closeSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../bench/questions.ts';
import { runVerb } from '../bench/processes.ts';
import { seconds, toScenario } from './fault.ts';
import { QUICK_FACTOR } from './scenario.ts';
import type { Fault } from './fault.ts';

const LASTS_MS = { full: 10_000, quick: 2_000 };
const RESTORED_WITHIN_MS = 30_000;
const FLIPPED_BYTES = 100;
const BESIDE = ['', '-wal', '-shm'];

const damages: Readonly<Record<string, (path: string) => void>> = {
  'the file is emptied': (path) => truncateSync(path, 0),
  'the file is cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'bytes of the file are changed': flipBytes,
  'the log beside the file is removed': (path) => rmSync(`${path}-wal`),
};

const LONG = new Set(['the file is cut in half', 'the log beside the file is removed']);

const damaged = Object.entries(damages).map(([name, harm]): Fault => ({
  name: `${name}; a backup is restored`,
  isLong: LONG.has(name),
  maySilence: true,
  async happen({ folder, databasePath, service, isQuick }) {
    const backup = join(folder, 'backup');
    await runVerb(databasePath, ['backup', backup]);
    harm(databasePath);
    await setTimeout(isQuick ? LASTS_MS.quick : LASTS_MS.full);
    const begun = performance.now();
    await service.end();
    for (const end of BESIDE) rmSync(databasePath + end, { force: true });
    await runVerb(databasePath, ['restore', backup, '--without-removed', '--yes']);
    await service.start();
    const tookMs = performance.now() - begun;
    assert(tookMs <= (isQuick ? QUICK_FACTOR : 1) * RESTORED_WITHIN_MS, `restored after ${seconds(tookMs)}`);
    return `restored after ${seconds(tookMs)}`;
  },
}));

const underLoad: Fault = {
  name: 'a backup is restored under load',
  async happen({ folder, databasePath, ask, knownId }) {
    const backup = join(folder, 'backup');
    await runVerb(databasePath, ['backup', backup]);
    let isOver = false;
    const count = { answers: 0, unlike: 0 };
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, text } = await ask(`/api/check?id=${knownId}`);
        count.answers += 1;
        if (status !== 200 || !text.includes(knownId)) count.unlike += 1;
      }
    });
    const begun = performance.now();
    await runVerb(databasePath, ['restore', backup, '--yes']);
    const tookMs = performance.now() - begun;
    isOver = true;
    await Promise.all(clients);
    assert.equal(count.unlike, 0, `${count.unlike} of ${count.answers} answers were not the right one`);
    return `restored after ${seconds(tookMs)}, ${count.answers} checks right meanwhile`;
  },
};

export const damage = toScenario('damage', 'F7', [...damaged, underLoad]);

function flipBytes(path: string): void {
  const random = createRandom(1);
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  for (let at = 0; at < FLIPPED_BYTES; at += 1)
    writeSync(file, Buffer.of(Math.floor(random() * 256)), 0, 1, Math.floor(random() * size));
  closeSync(file);
}
