/** Mirrors that were loaded from the snapshots and follow the changes hold what the lists hold. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { findAppeal } from '#src/entries/appeals.ts';
import { cancelAppeal, openAppeal, upholdAppeal } from '#src/entries/write-appeal.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { toPublicAppeal } from '#src/entries/public-entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import type { MirrorEntry } from '#src/entries/mirror-schema.ts';
import { REMOVAL_REASONS } from '#src/removals/removal-reasons.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { createMirror, type Mirror } from '../../support/mirror.ts';
import { readPublic } from '../../support/plain-lists.ts';
import { publish } from '../../support/publish.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../../support/test-site.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261121;
const OPERATIONS = trials(400, 1_000);

const step = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('import' as const) },
    { weight: 12, arbitrary: fc.constant('remove' as const) },
    { weight: 6, arbitrary: fc.constant('appeal' as const) },
    { weight: 3, arbitrary: fc.constantFrom('publish' as const, 'follow' as const) },
    { weight: 1, arbitrary: fc.constant('start' as const) },
  ),
  list: fc.constantFrom(...LIST_KINDS),
  /** Few different entries, so that each is added, changed, removed and added once more. */
  which: fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 6 }),
  salt: fc.nat(1000),
});

function toRecord(kind: ListKind, salt: number, entry: number): ImportRecordInput {
  return makeRecord({
    id: `${kind} ${entry}`,
    name: `nick ${entry} ${salt}`,
    reason: `Powód **${salt}**.`,
    verified: kind === 'legit' || salt % 3 > 0,
    account: salt % 4 === 0 ? 'hijacked' : 'own',
    accountSince: salt % 8 === 0 ? '2026-01-02T03:04:05.000Z' : null,
    proofs: { private: salt % 5 === 0, items: [{ text: `Dowód ${salt}` }] },
  });
}

function readLists(db: Database): Mirror['lists'] {
  const read = (list: ListKind): Map<string, MirrorEntry> =>
    new Map(
      readPublic(db, list).map(({ _id, name, id, descHtml, verified, proofsId, reportId, ...times }) => {
        const [reportedAt = '', updatedAt = ''] = [times.reportedAt, times.updatedAt].map((at) =>
          new Date(at).toISOString(),
        );
        const [verifiedAt = null, accountSince = null] = [times.verifiedAt, times.accountSince].map((at) =>
          at === null ? null : new Date(at).toISOString(),
        );
        const appeal = toPublicAppeal(times.appeal);
        const dates = { reportedAt, verifiedAt, account: times.account, accountSince, updatedAt, appeal };
        return [_id, { _id, name, id, descHtml, verified, proofsId, reportId, ...dates }];
      }),
    );
  return { scammers: read('scammers'), servers: read('servers'), legit: read('legit') };
}

/** Opens an appeal, or decides or takes back the open one. */
function appeal(db: Database, list: ListKind, id: string, salt: number, now: number): void {
  const row = findEntryRowByChatId(db, list, id);
  if (!row || list === 'legit') return;
  const { report_id: reportId } = row;
  const actor = { by: undefined, now };
  const current = findAppeal(db, row.row);
  db.write((tx) => {
    if (current?.decidedAt !== null) openAppeal(tx, reportId, actor);
    else if (salt % 4 === 0) cancelAppeal(tx, reportId, actor);
    else upholdAppeal(tx, reportId, actor, `powód <b>&${salt}`);
  });
}

it(`mirrors equal the lists after ${OPERATIONS} random operations`, async () => {
  const db = await makeDatabase();
  const site = await startTestSite(db.path);
  const get: TestSite['get'] = (path) => {
    site.clock.now += 100;
    return site.get(path);
  };
  await publish(db);
  const mirrors: Mirror[] = [];
  const startOne = async (): Promise<void> => {
    const mirror = createMirror(get, 7 + 40 * (mirrors.length % 4));
    mirrors.push(mirror);
    await mirror.start();
  };
  await startOne();
  let operations = 0;
  let now = Date.now();
  let removed = 0;
  for (let round = 0; operations < OPERATIONS; round += 1) {
    const steps = fc.sample(step, { numRuns: 100, seed: SEED + round });
    for (const { kind, list, which, salt } of steps) {
      now += 1000;
      if (kind === 'import') {
        const records = which.map((entry) => toRecord(list, salt, entry));
        await importRecords(db, list, records, now);
        operations += which.length;
      } else if (kind === 'remove') {
        const reason = REMOVAL_REASONS[salt % REMOVAL_REASONS.length] ?? 'other';
        operations += 1;
        if (removeEntry(db, list, `${list} ${which[0]}`, reason, now)) removed += 1;
      } else if (kind === 'appeal') {
        operations += 1;
        appeal(db, list, `${list} ${which[0]}`, salt, now);
      } else if (kind === 'publish') {
        const publishing = publish(db);
        // While chunks are read.
        removeEntry(db, list, `${list} ${which[0]}`, 'other', now);
        await importRecords(db, list, [toRecord(list, salt, which[0] ?? 0)], now);
        await publishing;
      } else if (kind === 'start' && mirrors.length < 12) {
        await startOne();
      } else {
        await mirrors[round % mirrors.length]?.follow();
      }
    }
  }
  const expected = readLists(db);
  expect(removed).toBeGreaterThan(OPERATIONS / 10);
  for (const kind of LIST_KINDS) expect(expected[kind].size).toBeGreaterThan(10);
  expect(mirrors.length).toBeGreaterThan(3);
  for (const mirror of mirrors) {
    await mirror.follow();
    expect(mirror.lists).toEqual(expected);
    expect(mirror.restarts).toBe(0);
  }
  await publish(db);
  const late = createMirror(get);
  await late.start();
  expect(late.lists).toEqual(expected);
  const fromTheBeginning = createMirror((path) => get(path.replace('since=&', '')), 500);
  await fromTheBeginning.follow();
  expect(fromTheBeginning.lists).toEqual(expected);
});
