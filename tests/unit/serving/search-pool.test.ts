import { afterEach, describe, expect, it } from 'vitest';
import { createSearchPool, OverloadedError } from '#src/serving/search-pool.ts';
import type { SearchPool } from '#src/serving/search-pool.ts';
import { makeRecord, importRecords } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const pools: SearchPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** One thread that does what its searches say; see tests/support/search-process.ts. */
function open(queueMax = 2): { pool: SearchPool; ended: Error[] } {
  const ended: Error[] = [];
  const pool = createSearchPool({
    databasePath: 'none',
    threads: 1,
    queueMax,
    threadFile: new URL('../../support/search-process.ts', import.meta.url),
    onThreadEnd: (error) => ended.push(error),
  });
  pools.push(pool);
  return { pool, ended };
}

const query = (search: string) =>
  ({ search, sort: 'newest', status: 'all', proofs: 'all', skip: 0, limit: 30 }) as const;
const forever = new AbortController().signal;

describe('the search pool', () => {
  it('answers out of a real thread over a real database', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord({ name: 'Żółw' }), makeRecord({ name: 'Kaczka' })]);
    const pool = createSearchPool({ databasePath: db.path, onThreadEnd: () => {} });
    pools.push(pool);
    const { entries, total, hasMore } = await pool.find('scammers', query('ŻÓŁW'), forever);
    expect({ names: entries.map(({ name }) => name), total, hasMore }).toEqual({
      names: ['Żółw'],
      total: 1,
      hasMore: false,
    });
  });

  it('refuses at once what the queue has no room for, and says when to come again', async () => {
    const { pool } = open(2);
    const leaving = new AbortController();
    const running = pool.find('scammers', query('stay'), leaving.signal);
    const queued = [pool.find('scammers', query('a'), forever), pool.find('scammers', query('bb'), forever)];
    const refused = await pool.find('scammers', query('c'), forever).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OverloadedError);
    expect((refused as OverloadedError).seconds).toBeGreaterThanOrEqual(1);
    expect(Number.isInteger((refused as OverloadedError).seconds)).toBe(true);
    leaving.abort();
    await expect(running).rejects.toThrow('aborted');
    expect((await Promise.all(queued)).map(({ total }) => total)).toEqual([1, 2]);
  });

  it('takes a search that nobody waits for out of the queue, and ends one that runs', async () => {
    const { pool } = open(2);
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.find('scammers', query('stay'), first.signal);
    const queued = pool.find('scammers', query('stay'), second.signal);
    expect(pool.load).toBe(2);
    second.abort();
    await expect(queued).rejects.toThrow('aborted');
    expect(pool.load).toBe(1);
    first.abort();
    await expect(running).rejects.toThrow('aborted');
    await expect(pool.find('scammers', query('ab'), first.signal)).rejects.toThrow('aborted');
    expect((await pool.find('scammers', query('abc'), forever)).total).toBe(3);
    expect(pool.load).toBe(0);
  });

  it('replaces a thread that ends; only its own search fails', async () => {
    const { pool, ended } = open(5);
    const ending = pool.find('scammers', query('end'), forever);
    const next = pool.find('scammers', query('next'), forever);
    await expect(ending).rejects.toThrow('ended with code 3');
    expect((await next).total).toBe(4);
    expect(ended).toHaveLength(1);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { pool } = open(5);
    const searches = [
      pool.find('scammers', query('stay'), forever),
      pool.find('scammers', query('a'), forever),
    ];
    const settled = Promise.allSettled(searches);
    await pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.find('scammers', query('a'), forever)).rejects.toThrow('closed');
  });
});
