import { describe, expect, it } from 'vitest';
import type { Status } from '#src/status/read-status.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

describe('4.3 /api/status', () => {
  it('2.4 names every check and bot, with exactly the keys of the contract', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const status = await site.json<Status>('/api/status?nieznany=1');
    expect(Object.keys(status)).toEqual(['checks', 'bots', 'checkedAt']);
    expect(status.checks.map((check) => check.id)).toEqual([
      'database',
      'litecoin',
      'chat_platform',
      'protection_service',
    ]);
    for (const check of status.checks) expect(Object.keys(check)).toEqual(['id', 'ok', 'latencyMs']);
    expect(status.bots.map((bot) => bot.id)).toEqual([
      'main_bot',
      'protection_public_bot',
      'protection_admin_bot',
    ]);
    for (const bot of status.bots) {
      expect(Object.keys(bot)).toEqual(['id', 'ok', 'state', 'uptimeMs', 'memoryBytes', 'cpuPercent']);
      expect(bot).toMatchObject({
        ok: false,
        state: 'not_configured',
        uptimeMs: 0,
        memoryBytes: 0,
        cpuPercent: 0,
      });
    }
    expect(status.checkedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('really reads the database', async () => {
    const db = await makeDatabase();
    const site = await startTestSite(db.path);
    const { checks } = await site.json<Status>('/api/status');
    expect(checks[0]).toMatchObject({ id: 'database', ok: true });
    const broken = await makeDatabase();
    const other = await startTestSite(broken.path);
    broken.connection.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries');
    expect((await other.json<Status>('/api/status')).checks[0]).toMatchObject({ id: 'database', ok: false });
  });

  it('8 is kept for 15 seconds', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const { headers } = await site.get('/api/status');
    expect(headers['cache-control']).toBe('public, s-maxage=15');
    const [first, second] = [await site.json<Status>('/api/status'), await site.json<Status>('/api/status')];
    expect(second.checkedAt).toBe(first.checkedAt);
  });
});
