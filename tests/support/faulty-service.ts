/**
 * A real service that a fault is done to: web process and worker under their supervisor, while a visitor asks on and an
 * operator imports. Whatever the fault is, every answer must be the one from before the fault or an error in the one
 * form, and every acknowledged import must stay.
 */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { findPort } from './find-port.ts';
import { makeRecord } from './make-entries.ts';
import { makeCommandLine, toNdjson } from './run-czujka.ts';
import type { RunningProcess } from './run-process.ts';
import { childrenOf, startService, untilStarted } from './start-service.ts';

/** A busy machine takes long for what else takes a second or two. */
const BACK_WITHIN = { timeout: 60_000, interval: 100 };
const ANSWER_MS = 20_000;
const PAUSE_MS = 50;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;

/** Called inside a test. */
export async function startFaultyService(operator = makeCommandLine()) {
  const records = Array.from({ length: 300 }, () => makeRecord());
  await operator.fill('scammers', ...records);
  const ids = records.map(({ id }) => id);
  const port = await findPort();
  const origin = `http://127.0.0.1:${port}`;
  const acknowledged: string[] = [];
  const wrong: string[] = [];
  const expected = new Map<string, Answer>();
  let asked = 0;
  let supervisor: RunningProcess;

  /** Asks from an address of its own, so that no rate limit stands in the way. */
  const ask = async (path: string): Promise<Answer> => {
    asked += 1;
    const answer = await fetch(origin + path, {
      headers: { 'X-Forwarded-For': `10.7.${(asked >> 8) & 255}.${asked & 255}`, Connection: 'close' },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, text: await answer.text() };
  };
  /** @returns whether the answer is the one from before the fault */
  const look = async (path: string): Promise<boolean> => {
    const answer = await ask(path).catch(() => undefined);
    const before = expected.get(path);
    if (!answer || !before) return false;
    if (isSame(before, answer)) return true;
    if (!isErrorInForm(path, answer)) wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return false;
  };
  const service = {
    operator,
    origin,
    /** On the scammers list; no test changes them. */
    ids,
    ask,
    pidOf(name: 'web' | 'worker'): number {
      const pid = childrenOf(supervisor)[name];
      expect(pid, `there is no ${name} process`).not.toBe(0);
      return pid;
    },
    /** Imports new entries into the servers list. @returns whether the command ended with 0 */
    async write({ count = 1, killAfterMs }: { count?: number; killAfterMs?: number | undefined } = {}) {
      const servers = Array.from({ length: count }, () => makeRecord());
      const child = operator.start(['import', '-', '--list', 'servers']);
      const ended = once(child, 'exit') as Promise<[number | null]>;
      // A command that is killed does not read to the end.
      child.stdin.on('error', () => {}).end(toNdjson(servers));
      for (const output of [child.stdout, child.stderr]) output.resume();
      if (killAfterMs !== undefined) void setTimeout(killAfterMs).then(() => child.kill('SIGKILL'));
      const [code] = await ended;
      if (code === 0) acknowledged.push(...servers.map(({ id }) => id));
      return code === 0;
    },
    /** Resolves when all answers are those from before the fault. */
    untilRight: (): Promise<void> =>
      vi.waitFor(async () => {
        for (const path of expected.keys()) expect(await look(path), path).toBe(true);
      }, BACK_WITHIN),
    async start(): Promise<void> {
      supervisor = startService(operator, { settings: { PORT: String(port), TRUST_PROXY: 'loopback' } });
      await untilStarted(supervisor);
    },
    /** Resolves when all of the service has ended. */
    async stop(): Promise<void> {
      supervisor.child.kill('SIGTERM');
      await supervisor.ended;
    },
    /** Expects what must hold after every fault, and ends the service. */
    async expectRecovery(): Promise<void> {
      await service.untilRight();
      await vi.waitFor(() => [service.pidOf('web'), service.pidOf('worker')], BACK_WITHIN);
      await vi.waitFor(async () => expect(await service.write()).toBe(true), BACK_WITHIN);
      const newest = acknowledged.at(-1) ?? '';
      await vi.waitFor(async () => {
        expect((await ask(`/api/check?id=${newest}`)).text).toContain(`"${newest}"`);
      }, BACK_WITHIN);
      isOver = true;
      await asking;
      expect(wrong).toEqual([]);
      await service.stop();
      operator.read((db) => {
        expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
        const stored = db.statement("SELECT chat_id FROM entries WHERE list = 'servers'").pluck().all();
        expect(stored).toEqual(expect.arrayContaining(acknowledged));
      });
    },
  };

  await service.start();
  await vi.waitFor(async () => expect((await ask('/readyz')).status).toBe(200), BACK_WITHIN);
  const paths = [`/api/check?id=${ids[0]}`, `/api/check?id=${ids[1]}`, '/api/check?id=99999999999999999'];
  for (const path of [...paths, '/api/scammers?sort=az&limit=5', '/scammers?sort=az', '/api/nowhere'])
    expected.set(path, await ask(path));
  let isOver = false;
  const asking = (async () => {
    for (let at = 0; !isOver; at += 1) {
      await look([...expected.keys()][at % expected.size] ?? '');
      await setTimeout(PAUSE_MS);
    }
  })();
  onTestFinished(() => {
    isOver = true;
    return asking;
  });
  return service;
}

/** A page must be whole and name the same entries; times in it may differ. */
function isSame(before: Answer, after: Answer): boolean {
  const essence = ({ status, type, text }: Answer): string => {
    const page = [...new Set(text.match(/\b\d{17,20}\b/g)), text.trimEnd().endsWith('</html>')].join(' ');
    return `${status} ${type} ${type.startsWith('text/html') ? page : text}`;
  };
  return essence(before) === essence(after);
}

function isErrorInForm(path: string, { status, type, text }: Answer): boolean {
  if (status < 500) return false;
  if (!path.startsWith('/api/'))
    return type === 'text/html; charset=utf-8' && text.trimEnd().endsWith('</html>');
  const body = JSON.parse(text) as { error?: unknown };
  const isError = Object.keys(body).join() === 'error' && body.error !== '';
  return isError && type === 'application/json; charset=utf-8';
}
