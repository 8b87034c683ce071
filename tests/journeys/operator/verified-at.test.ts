import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { listPublicByChatId, parseSummary } from '#src/entries/public-entry.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';
import { mirrored } from '../../support/stored-entries.ts';

const ID = '1572250755006587457';
const ON = ['--list', 'scammers'] as const;
const AT = '2026-01-02T03:04:05.000Z';

const operator = await makeMigratedCommandLine();
const shown = (): unknown => mirrored(operator, ID)?.verifiedAt;
const bring = (facts: object): Promise<void> =>
  operator.fill(
    'scammers',
    makeRecord({ id: ID, name: 'nick', reason: 'Powód.', reportId: 'R-1', ...facts }),
  );

it('is unknown for an imported record without it, and for cards of the version before', async () => {
  await bring({ verified: true });
  expect(shown()).toBeNull();
  const card = operator.read((db) => listPublicByChatId(db, ID)[0]?.card ?? '');
  const before = JSON.stringify((JSON.parse(card) as unknown[]).slice(0, -1));
  expect(parseSummary(before).verifiedAt).toBeNull();
});

it('is the time of entry verify, gone by unverify, and kept by an import that leaves it out', async () => {
  const from = Date.now();
  await operator.succeed('entry', 'verify', ID, ...ON);
  const at = shown();
  expect(Date.parse(String(at))).toBeGreaterThanOrEqual(from);
  await bring({ verified: true, name: 'inny' });
  expect(shown()).toBe(at);
  const log = (): unknown => operator.read((db) => readLogHead(db).seq);
  const before = log();
  const again = await operator.run(['entry', 'verify', ID, ...ON]);
  expect(again).toMatchObject({ code: 0, stderr: `note: was verified already, since ${String(at)}\n` });
  expect(log()).toBe(before);
  await operator.succeed('entry', 'edit', ID, ...ON, '--verified', '--name', 'nick');
  expect(shown()).toBe(at);
  await operator.succeed('entry', 'unverify', ID, ...ON);
  expect(shown()).toBeNull();
});

it('travels by import and export, and is refused in the future or without verified', async () => {
  await bring({ verified: true, verifiedAt: AT });
  expect(await operator.succeed('export', ...ON)).toContain(`"verifiedAt":"${AT}"`);
  await bring({ verified: true, verifiedAt: null });
  expect(shown()).toBeNull();
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString();
  for (const [facts, problem] of [
    [{ verified: true, verifiedAt: later }, 'more than a day ahead'],
    [{ verified: false, verifiedAt: AT }, 'verifiedAt: only a verified entry has one'],
  ] as const) {
    const file = operator.file('a.ndjson', [makeRecord({ id: ID, name: 'x', reportId: 'R-1', ...facts })]);
    expect(await operator.fail('import', file, ...ON)).toContain(problem);
  }
  expect(shown()).toBeNull();
});
