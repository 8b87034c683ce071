/** Web process and worker are killed in turn while somebody writes: nothing that was acknowledged is lost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runVerb } from '../bench/processes.ts';
import { openOperatorDatabase } from '../operator/operator-database.ts';
import { seedDatabase } from '../operator/seed-database.ts';
import { startService } from './service.ts';
import type { Finding, Scenario } from './scenario.ts';

const PORT = 4_690;
const ENTRIES = 1_000;
const BACK_WITHIN_MS = 2_000;
const POLL_MS = 20;
const CHUNK = 40;
/** Between two kills; and how many there are, and how many writes. */
const FULL = { pauseMs: 30_000, kills: 50, writes: 10_000 };
const QUICK = { pauseMs: 3_000, kills: 4, writes: 480 };

export const kills: Scenario = { name: 'kills', run: ({ isQuick }) => run(isQuick ? QUICK : FULL) };

async function run({ pauseMs, kills: count, writes }: typeof FULL): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-fault-'));
  const path = join(folder, 'data/czujka.db');
  try {
    const db = await openOperatorDatabase(path);
    await seedDatabase(db, { count: ENTRIES, seed: 1, list: 'scammers', now: Date.now() });
    const service = await startService(path, { port: PORT });
    const acknowledged: string[] = [];
    let slowestMs = 0;
    const ended = new AbortController();
    const writing = write(path, writes, (pauseMs * count) / writes, acknowledged, ended.signal);
    try {
      for (let kill = 0; kill < count; kill += 1) {
        await setTimeout(pauseMs);
        const name = kill % 2 === 0 ? 'web' : 'worker';
        service.takeLog();
        process.kill(service.pidOf(name), 'SIGKILL');
        const ms = await untilAnswers(service.origin);
        slowestMs = Math.max(slowestMs, ms);
        if (ms > BACK_WITHIN_MS)
          process.stderr.write(`kill ${kill + 1}, of ${name}:\n${service.takeLog().join('\n')}\n`);
      }
      await writing;
    } finally {
      ended.abort();
      await service.end();
    }
    const names = new Set(db.statement("SELECT name FROM entries WHERE list = 'servers'").pluck().all());
    const lost = acknowledged.filter((name) => !names.has(name));
    const integrity = db.connection.pragma('integrity_check', { simple: true });
    db.close();
    const fault = `${count} kills, ${pauseMs / 1_000} s apart`;
    return [
      {
        fault,
        found: `answers again after ${(slowestMs / 1_000).toFixed(2)} s at most`,
        isRight: slowestMs <= BACK_WITHIN_MS,
      },
      {
        fault,
        found: `${lost.length} of ${acknowledged.length} acknowledged writes lost, integrity ${String(integrity)}`,
        isRight: lost.length === 0 && acknowledged.length === writes && integrity === 'ok',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An operator who imports some entries every now and then: what a command that ended with 0 has brought is acknowledged. */
async function write(
  path: string,
  writes: number,
  msPerWrite: number,
  acknowledged: string[],
  signal: AbortSignal,
): Promise<void> {
  const file = join(dirname(path), '..', 'records.ndjson');
  const begun = performance.now();
  for (let at = 0; at < writes && !signal.aborted; at += CHUNK) {
    const names = Array.from({ length: CHUNK }, (_, place) => `Serwer ${at + place}`);
    const records = names.map((name, place) => ({
      id: String(1_000_000_000_000_000_000n + BigInt(at + place)),
      name,
      reason: 'Fałszywe rozdawnictwo.',
      verified: true,
    }));
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await runVerb(path, ['import', file, '--list', 'servers']);
    acknowledged.push(...names);
    await setTimeout(Math.max(0, (at + CHUNK) * msPerWrite - (performance.now() - begun)));
  }
}

async function untilAnswers(origin: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    try {
      const answer = await fetch(`${origin}/api/check?id=1`, { headers: { 'X-Forwarded-For': '10.7.1.1' } });
      await answer.arrayBuffer();
      if (answer.ok) return performance.now() - begun;
    } catch {
      // Nobody listens.
    }
    await setTimeout(POLL_MS);
  }
}
