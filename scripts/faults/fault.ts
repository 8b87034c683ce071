/**
 * A fault that is done to a real service with some entries, while somebody asks and somebody writes. Whatever the fault
 * is, all of them end in the same: processes there or back soon, only right answers or errors in the one form, a database
 * that is whole, and every write that was acknowledged is in it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { getTemplate } from './template.ts';
import { ask, watchAnswers } from './watch.ts';
import type { Answer, Watched } from './watch.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';
import { QUICK_FACTOR } from './scenario.ts';
import type { Finding, Scenario } from './scenario.ts';
import { findMissing } from './tools.ts';
import type { Tool } from './tools.ts';
import { createWriter } from './writer.ts';
import type { Writer } from './writer.ts';

export interface Trial {
  readonly isQuick: boolean;
  readonly folder: string;
  readonly databasePath: string;
  readonly service: Service;
  readonly writer: Writer;
  /** An ID that the scammers list has. */
  readonly knownId: string;
  readonly ask: (path: string, timeoutMs?: number) => Promise<Answer>;
  /** Waits until the answers are those from before the fault. @returns milliseconds @throws when that takes too long */
  readonly untilRight: () => Promise<number>;
}

export interface Fault {
  readonly name: string;
  readonly needs?: readonly Tool[];
  /** A disk of its own of this size, in megabytes. */
  readonly diskMb?: number;
  /** Of the service, in the folder of the trial. */
  readonly settings?: (folder: string) => Readonly<Record<string, string>>;
  /** Left out of a quick run, where another one of its kind stands for it. */
  readonly isLong?: boolean;
  /** No answers at all are right while it lasts. */
  readonly maySilence?: true;
  /** Done to the service and taken back. @returns what was seen @throws when it was not what it should be */
  readonly happen: (trial: Trial) => Promise<string>;
}

const BACK_WITHIN_MS = 5_000;
const READY_WITHIN_MS = 60_000;
const WRITES_WITHIN_MS = 40_000;
const POLL_MS = 50;
const TROUBLES_MAX = 10;

/** Faults of one kind as a scenario; each has a service of its own. */
export function toScenario(name: string, rows: string, faults: readonly Fault[]): Scenario {
  return {
    name,
    rows,
    async run({ isQuick }) {
      const findings: Finding[] = [];
      for (const fault of faults.filter(({ isLong }) => !isLong || !isQuick)) {
        const finding = await tryFault(fault, isQuick);
        process.stderr.write(`${finding.fault}: ${finding.isRight === true ? 'right' : finding.found}\n`);
        findings.push(finding);
      }
      return findings;
    },
  };
}

export async function tryFault(fault: Fault, isQuick: boolean): Promise<Finding> {
  const missing = findMissing([
    ...(fault.needs ?? []),
    ...(fault.diskMb === undefined ? [] : ['mount' as const]),
  ]);
  if (missing !== undefined)
    return { fault: fault.name, found: `not run: needs ${missing}`, isRight: 'notRun' };
  const folder = mkdtempSync(join(tmpdir(), 'czujka-fault-'));
  try {
    if (fault.diskMb !== undefined) mount(folder, fault.diskMb);
    return { fault: fault.name, found: await undergo(fault, folder, isQuick), isRight: true };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { fault: fault.name, found: found.replaceAll('\n', ' '), isRight: false };
  } finally {
    if (fault.diskMb !== undefined) spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function undergo(fault: Fault, folder: string, isQuick: boolean): Promise<string> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const template = await getTemplate();
  cpSync(template.folder, data, { recursive: true });
  const databasePath = join(data, 'czujka.db');
  const service = await startService(databasePath, { settings: fault.settings?.(folder) ?? {} });
  const writer = createWriter(databasePath);
  let said = '';
  let watched: Watched | undefined;
  try {
    await until(
      async () => (await ask(service.origin, '/readyz')).status === 200,
      READY_WITHIN_MS,
      'no start',
    );
    const watch = await watchAnswers(service.origin, template.paths);
    const limitMs = (isQuick ? QUICK_FACTOR : 1) * BACK_WITHIN_MS;
    const untilRight = () => until(() => watch.isRight(), limitMs, 'not back');
    try {
      assert(await writer.write(), 'nothing can be written before the fault');
      said = await fault.happen({
        isQuick,
        folder,
        databasePath,
        service,
        writer,
        knownId: template.knownId,
        ask: (path, timeoutMs) => ask(service.origin, path, timeoutMs),
        untilRight,
      });
      const backMs = await untilRight();
      await until(async () => service.isWhole(), limitMs, 'a process is not back');
      await until(() => writer.write(), WRITES_WITHIN_MS, 'nothing can be written after the fault');
      await until(() => shows(service.origin, writer.newest()), limitMs, 'what was written is not shown');
      said += `; right again after ${seconds(backMs)}`;
    } finally {
      watched = await watch.end();
      // What is wrong says more than that it did not end.
      if (watched.wrong.length > 0) process.stderr.write(`wrong: ${watched.wrong.slice(0, 5).join('\n')}\n`);
    }
    assert.deepEqual(watched.wrong, []);
    if (!fault.maySilence) assert(watched.silentMs <= limitMs, `silent for ${seconds(watched.silentMs)}`);
  } catch (error) {
    const troubles = service.takeLog().filter((line) => !line.includes('"level":"info"'));
    process.stderr.write(`${fault.name}, the log:\n${troubles.slice(-TROUBLES_MAX).join('\n')}\n`);
    throw error;
  } finally {
    await service.end();
  }
  checkDatabase(databasePath, writer);
  return `${said}; ${watched.answers} answers, ${watched.errors} errors; ${writer.acknowledged().length} writes kept`;
}

/** @throws when it is not whole, or something that was acknowledged is not in it */
export function checkDatabase(path: string, writer: Writer): void {
  const db = openDatabase(path, 'read');
  try {
    assert.equal(db.connection.pragma('integrity_check', { simple: true }), 'ok');
    const ids = new Set(db.statement("SELECT chat_id FROM entries WHERE list = 'servers'").pluck().all());
    const lost = writer.acknowledged().filter((id) => !ids.has(id));
    assert.equal(lost.length, 0, `${lost.length} acknowledged writes are lost`);
  } finally {
    db.close();
  }
}

async function shows(origin: string, id: string): Promise<boolean> {
  return (await ask(origin, `/api/check?id=${id}`)).text.includes(`"${id}"`);
}

/** @returns milliseconds. @throws with these words when it does not come true in time */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
  words: string,
): Promise<number> {
  const begun = performance.now();
  for (;;) {
    // Nobody may be there to answer.
    if (await Promise.resolve(isTrue()).catch(() => false)) return performance.now() - begun;
    if (performance.now() - begun > withinMs) throw new Error(`${words} within ${seconds(withinMs)}`);
    await setTimeout(POLL_MS);
  }
}

function mount(folder: string, megabytes: number): void {
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
