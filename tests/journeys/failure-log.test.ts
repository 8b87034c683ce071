/** An operator finds the failed page in the log by the number that the visitor quotes. */
import { describe, expect, it } from 'vitest';
import { makeDonation } from '../support/make-donation.ts';
import { startServer } from '../support/server-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

describe('the log of a failure', () => {
  it('has one line with the error, the route and the number that the visitor sees, and no ID of a donation', async () => {
    const db = await makeDatabase();
    const id = makeDonation(db);
    const server = await startServer({ DATABASE_PATH: db.path, LOG_REQUESTS: 'all' });
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);
    db.connection.exec('ALTER TABLE donations RENAME TO gone');
    const err = {
      type: 'SqliteError',
      message: 'no such table: donations',
      stack: expect.stringMatching(/no such table: donations\n +at .*\n/) as string,
    };

    const page = await get(`/donate/${id}`);
    expect(page.status).toBe(500);
    const text = await page.text();
    expect((await get(`/api/donate/status?id=${id}`)).status).toBe(500);

    server.process.kill('SIGTERM');
    expect((await server.ended()).stderr).toBe('');
    const failed = server.log.filter(({ level }) => level === 'error');
    expect(failed).toMatchObject([
      { msg: 'page failed', route: 'page', err },
      { msg: 'endpoint failed', route: '/api/donate/status', err },
    ]);
    expect(text).toContain(String(failed[0]?.['incident']));
    expect(server.log.filter(({ msg }) => msg === 'request')).toHaveLength(2);
    expect(JSON.stringify(server.log)).not.toContain(id);
  });
});
