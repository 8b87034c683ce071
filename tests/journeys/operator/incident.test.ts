import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import type { Operator } from '../../support/run-czujka.ts';

describe('incident', () => {
  const openIncident = async (operator: Operator): Promise<void> => {
    await operator.do('migrate');
    const db = openDatabase(operator.databasePath, 'write');
    db.connection
      .prepare('INSERT INTO incidents (part, opened_at, closed_at, updated_at) VALUES (?, ?, ?, ?)')
      .run('litecoin', Date.UTC(2026, 10, 14, 2), Date.UTC(2026, 10, 14, 3), 1);
    db.close();
  };

  it('lists, notes and shows', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    expect(await operator.do('incident', 'list')).toBe('there were no incidents\n');
    await openIncident(operator);
    expect(await operator.do('incident', 'note', '1', ' Awaria węzła. ')).toBe('noted on incident 1\n');
    expect(await operator.do('incident', 'list')).toBe(
      '1  litecoin  2026-11-14T02:00:00.000Z – 2026-11-14T03:00:00.000Z\n    Awaria węzła.\n',
    );
    expect(await operator.json('incident', 'show', '1')).toMatchObject({
      incident: 1,
      part: 'litecoin',
      openedAt: '2026-11-14T02:00:00.000Z',
      closedAt: '2026-11-14T03:00:00.000Z',
      note: 'Awaria węzła.',
    });
    expect(await operator.do('incident', 'note', '1', '')).toBe('removed the note of 1\n');
    expect(await operator.json<object[]>('incident', 'list', '--limit', '1')).toHaveLength(1);
  });

  it.each([
    [['show', '7'], 'there is no incident 7; "czujka incident list" shows those that are'],
    [['note', '7', 'x'], 'there is no incident 7; "czujka incident list" shows those that are'],
    [['note', '1', 'x'.repeat(501)], 'the note may have at most 500 characters, this one has 501'],
    [['note', '1', 'x\u0007'], 'the note holds characters that cannot be shown'],
    [['show', 'x'], 'A whole number of at least 1 is needed.'],
  ])('refuses %j', async (args, message) => {
    const operator = makeOperator();
    await openIncident(operator);
    const { code, stderr } = await operator.run(['incident', ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
