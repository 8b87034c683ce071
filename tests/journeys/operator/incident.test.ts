import { expect, it } from 'vitest';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';

it('incident lists, notes and shows', async () => {
  const operator = await makeMigratedCommandLine();
  expect(await operator.succeed('incident', 'list')).toBe('there were no incidents\n');
  const incident = ['litecoin', Date.UTC(2026, 10, 14, 2), Date.UTC(2026, 10, 14, 3), 1];
  const columns = 'part, opened_at, closed_at, updated_at';
  operator.write((db) =>
    db.statement(`INSERT INTO incidents (${columns}) VALUES (?, ?, ?, ?)`).run(incident),
  );
  expect(await operator.succeed('incident', 'note', '1', ' Awaria węzła. ')).toBe('noted on incident 1\n');
  expect(await operator.succeed('incident', 'list')).toBe(
    '1  litecoin  2026-11-14T02:00:00.000Z – 2026-11-14T03:00:00.000Z\n    Awaria węzła.\n',
  );
  expect(await operator.json('incident', 'list')).toMatchObject([{ incident: 1, note: 'Awaria węzła.' }]);
  expect(await operator.succeed('incident', 'note', '1', '')).toBe('removed the note of 1\n');

  for (const [args, message] of [
    [['note', '7', 'x'], 'there is no incident 7; "czujka incident list" shows those that are'],
    [['note', '1', 'x'.repeat(501)], 'the note is too long; at most 500 characters are allowed'],
    [['note', '1', 'x\u0007'], 'the note holds a control character'],
  ] as const)
    expect(await operator.fail('incident', ...args), args.join(' ')).toContain(message);
});
