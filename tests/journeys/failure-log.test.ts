/** An operator finds the failed request in the log by the number that the visitor quotes. */
import { expect, it } from 'vitest';
import { makeDonation } from '../support/make-donation.ts';
import { makeCommandLine } from '../support/run-czujka.ts';
import { startServer } from '../support/server-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

it('the log of a failure has one line with the error, the route and the number that the visitor sees, and no ID of a donation', async () => {
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
  const answer = await get(`/api/donate/status?id=${id}`);
  expect(answer.status).toBe(500);

  server.child.kill('SIGTERM');
  expect((await server.ended).stderr).toBe('');
  const failed = server.lines.filter(({ level }) => level === 'error');
  expect(failed).toMatchObject([
    { msg: 'page failed', route: 'page', err },
    { msg: 'endpoint failed', route: '/api/donate/status', err },
  ]);
  const [ofPage, ofAnswer] = failed.map(({ requestId }) => String(requestId));
  expect(text).toContain(ofPage);
  expect(answer.headers.get('x-request-id')).toBe(ofAnswer);
  expect(server.lines.filter(({ msg }) => msg === 'request')).toMatchObject([
    { status: 500, code: 'internal', requestId: ofPage },
    { status: 500, code: 'internal', requestId: ofAnswer },
  ]);
  expect(JSON.stringify(server.lines)).not.toContain(id);

  const input = server.lines.map((line) => `web-1  | ${JSON.stringify(line)}`).join('\n');
  const ask = (number: string) => makeCommandLine().run(['doctor', '--request', number], { input });
  const { stdout } = await ask(ofAnswer ?? '');
  expect(stdout).toMatch(
    /^\S+Z \/api\/donate\/status: endpoint failed\nSqliteError: no such table: donations\n/,
  );
  expect(stdout).not.toContain('page failed');
  expect(await ask('00000000')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^the log has no failed request 00000000; as root: journalctl/) as string,
  });
});
