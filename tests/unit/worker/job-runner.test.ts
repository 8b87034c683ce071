import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { createJobRunner, type Job } from '#src/worker/job-runner.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { collectLog } from '../../support/collect-log.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const db = await makeDatabase();
const { log, lines } = collectLog();

let runner: ReturnType<typeof createJobRunner>;

beforeEach(() => {
  lines.length = 0;
  db.connection.exec('DELETE FROM properties');
  runner = createJobRunner({ db, log });
});

function makeJob(run: Job['run'], facts: Partial<Job> = {}): Job {
  return { name: 'counting', schedule: '* * * * * *', deadlineMs: 60_000, run, ...facts };
}

function logged(message: string): Record<string, unknown>[] {
  return lines.filter(({ msg }) => msg === message);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

const readNote = (): unknown => db.statement("SELECT value FROM properties WHERE key = 'note'").pluck().get();

function writeNote(value: string): void {
  db.statement("INSERT OR REPLACE INTO properties VALUES ('note', ?)").run(value);
}

describe('a run', () => {
  it('is logged with its start, its end, its duration and what it returns', async () => {
    await runner.run(makeJob(() => ({ pages: 7 })));
    await runner.run(makeJob(async () => {}, { name: 'silent' }));
    expect(lines).toMatchObject([
      { msg: 'job started', job: 'counting' },
      { msg: 'job ended', job: 'counting', pages: 7, level: 30 },
      { msg: 'job started', job: 'silent' },
      { msg: 'job ended', job: 'silent', level: 30 },
    ]);
    for (const { durationMs } of logged('job ended')) expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('is logged at debug level when it changed nothing, or happens often', async () => {
    await runner.run(makeJob(() => ({ pages: 0, files: 0 })));
    await runner.run(makeJob(() => ({ pages: 7 }), { isQuiet: true }));
    expect(logged('job ended').map(({ level }) => level)).toEqual([20, 20]);
  });

  it('never overlaps with the last one of the same job', async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const job = makeJob(async () => {
      runs += 1;
      await gate.promise;
    });
    const first = runner.run(job);
    await runner.run(job);
    await settle();
    expect(runs).toBe(1);
    expect(logged('job skipped: its last run goes on')).toHaveLength(1);
    gate.resolve();
    await first;
    await runner.run(job);
    expect(runs).toBe(2);
  });
});

describe('jobs of one lane', () => {
  it('run one after another, also when one of them fails', async () => {
    const gate = Promise.withResolvers<void>();
    const backup = runner.run(makeJob(() => gate.promise, { name: 'backup', lane: 'disk' }));
    const next = runner.run(makeJob(() => writeNote('vacuum'), { name: 'vacuum', lane: 'disk' }));
    await runner.run(makeJob(() => {}, { lane: 'search' }));
    expect(readNote()).toBeUndefined();
    gate.reject(new Error('the disk is full'));
    expect(await backup).toMatchObject({ outcome: 'failed' });
    expect(await next).toMatchObject({ outcome: 'ok' });
    expect(readNote()).toBe('vacuum');
  });

  it('keep no mirror waiting', async () => {
    const gate = Promise.withResolvers<void>();
    const other = createJobRunner({ db: await makeDatabase(), log });
    const backup = other.run(makeJob(() => gate.promise, { name: 'backup', lane: 'disk' }));
    const snapshots = createJobs(parseConfig({})).find(({ name }) => name === 'snapshots');
    expect(await other.run(snapshots as Job)).toMatchObject({ outcome: 'ok' });
    gate.resolve();
    await backup;
  });
});

it.each([
  ['throws at once', () => expect.unreachable('no luck')],
  ['rejects', () => Promise.reject(new Error('no luck'))],
])('a failure of a job that %s is logged and does not spread', async (_name, run) => {
  await runner.run(makeJob(run));
  expect(logged('job failed')).toMatchObject([
    { level: 50, job: 'counting', err: { message: expect.stringContaining('no luck') as string } },
  ]);
  expect(logged('job ended')).toEqual([]);
  await runner.run(makeJob(() => {}));
  expect(logged('job ended')).toHaveLength(1);
});

it('a run that is over leaves nothing behind until its deadline', async () => {
  const collected = new Set<number>();
  const registry = new FinalizationRegistry<number>((run) => collected.add(run));
  const register = (run: number) =>
    makeJob(({ signal }) => {
      registry.register(signal, run);
      // As jobs do that wait for something.
      signal.addEventListener('abort', () => {}, { once: true });
    });
  for (let run = 0; run < 20; run += 1) await runner.run(register(run));
  const countCollected = (): number => {
    measureHeap();
    return collected.size;
  };
  await expect.poll(countCollected).toBeGreaterThan(15);
});

describe('the deadline', () => {
  it('aborts the signal and counts as a failure', async () => {
    let reason: unknown;
    const run: Job['run'] = async ({ signal }) => {
      await once(signal, 'abort');
      reason = signal.reason;
      throw new Error('cut short');
    };
    await runner.run(makeJob(run, { deadlineMs: 10 }));
    expect(reason).toMatchObject({ name: 'TimeoutError' });
    expect(logged('job failed')).toMatchObject([{ job: 'counting', err: { name: 'TimeoutError' } }]);
  });

  it('ends the run of a job that ignores its signal, and what that writes later is refused', async () => {
    const gate = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const run: Job['run'] = async ({ write }) => {
      await gate.promise;
      late.resolve(Promise.try(() => write(() => writeNote('too late'))));
    };
    await runner.run(makeJob(run, { deadlineMs: 10 }));
    expect(logged('job failed')).toHaveLength(1);
    await runner.run(makeJob(({ write }) => write(() => writeNote('in time'))));
    gate.resolve();
    await expect(late.promise).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(readNote()).toBe('in time');
  });
});

describe('the end', () => {
  it('aborts what runs and waits until it has stopped', async () => {
    let reason: unknown;
    void runner.run(
      makeJob(async ({ signal }) => {
        await once(signal, 'abort');
        reason = signal.reason;
        await settle();
        writeNote('cleaned up');
      }),
    );
    await settle();
    await runner.end();
    expect(reason).toMatchObject({ message: 'the worker ends' });
    expect(readNote()).toBe('cleaned up');
  });

  it('does not wait for ever for a job that ignores its signal', async () => {
    const impatient = createJobRunner({ db, log }, { endGraceMs: 10 });
    void impatient.run(makeJob(() => new Promise(() => {})));
    await settle();
    await impatient.end();
    expect(logged('job broken off')).toMatchObject([{ level: 30, job: 'counting' }]);
    expect(logged('job failed')).toEqual([]);
  });

  it('starts nothing any more', async () => {
    await runner.end();
    let runs = 0;
    await runner.run(makeJob(() => void (runs += 1)));
    expect(runs).toBe(0);
    expect(lines).toEqual([]);
  });
});
