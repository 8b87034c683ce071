import { describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListResponse } from '#src/serving/list-response.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import { describeListEndpoint } from './list-endpoint.case.ts';

for (const list of LIST_KINDS) describeListEndpoint(list);

describe('4.1 the trusted list', () => {
  it('never serves an unverified entry, whatever status says', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'legit', [makeRecord({ name: 'pewny' }), makeRecord({ name: 'zawieszony' })]);
    // No command writes such a row; a database that has one must not serve it.
    db.connection.exec("UPDATE entries SET verified = 0 WHERE name = 'zawieszony'");
    const site = await startTestSite(db.path);
    for (const query of [
      '',
      'status=all',
      'status=risk',
      'status=verified',
      'search=zawieszony',
      'sort=az',
    ]) {
      const { data, total } = await site.json<ListResponse>(`/api/legit?${query}`);
      expect(
        data.map((entry) => entry.name),
        query,
      ).not.toContain('zawieszony');
      expect(total, query).toBe(query.startsWith('search') ? 0 : 1);
    }
    expect(await site.json('/api/check?search=zawieszony')).toEqual({ results: [] });
  });
});
