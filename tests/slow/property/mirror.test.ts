/** Mirrors that were loaded from the snapshots and follow the changes hold what the lists hold. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { toMirrorEntry } from '#src/entries/mirror-entry.ts';
import type { MirrorEntry } from '#src/entries/mirror-entry.ts';
import { selectEntryColumns, toEntry } from '#src/entries/read-entry.ts';
import { REMOVAL_REASONS } from '#src/entries/removal-reasons.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { createMirror } from '../../support/mirror.ts';
import type { Mirror } from '../../support/mirror.ts';
import { createPublisher } from '../../support/publish.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite } from '../../support/test-site.ts';
import type { TestSite } from '../../support/test-site.ts';

const SEED = 20261121;
const OPERATIONS = 1_000;

type Step =
  | { readonly kind: 'import'; readonly list: ListKind; readonly which: number[]; readonly salt: number }
  | { readonly kind: 'remove'; readonly list: ListKind; readonly which: number; readonly reason: number }
  | { readonly kind: 'publish' | 'start' | 'follow' };

const list = fc.constantFrom(...LIST_KINDS);
/** Few different entries, so that they meet again: added, changed, removed, added once more. */
const which = fc.integer({ min: 0, max: 60 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      list,
      which: fc.uniqueArray(which, { minLength: 1, maxLength: 6 }),
      salt: fc.nat(1000),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), list, which, reason: fc.nat(4) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('publish' as const, 'follow' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('start' as const) }) },
);

function toRecord({ list: kind, salt }: { list: ListKind; salt: number }, entry: number): ImportRecordInput {
  return makeRecord({
    id: `${kind} ${entry}`,
    name: `nick ${entry} ${salt}`,
    reason: `Powód **${salt}**.`,
    verified: kind === 'legit' || salt % 3 > 0,
    proofs: { private: salt % 5 === 0, items: [{ text: `Dowód ${salt}` }] },
  });
}

function readLists(db: Database): Record<ListKind, MirrorEntry[]> {
  const entries = db.all(selectEntryColumns(db).orderBy('entry_id')).map(toEntry);
  const of = (kind: ListKind): MirrorEntry[] =>
    entries.filter((entry) => entry.list === kind).map(toMirrorEntry);
  return { scammers: of('scammers'), servers: of('servers'), legit: of('legit') };
}

function sorted(mirror: Mirror): Record<ListKind, MirrorEntry[]> {
  const of = (kind: ListKind): MirrorEntry[] =>
    [...mirror.lists[kind].values()].toSorted((a, b) => (a._id < b._id ? -1 : 1));
  return { scammers: of('scammers'), servers: of('servers'), legit: of('legit') };
}

describe('mirrors', () => {
  let db: Database;
  let site: TestSite;
  beforeAll(async () => {
    db = await makeDatabase();
    site = await startTestSite(db.path);
  });

  it(`equal the lists after ${OPERATIONS} random operations`, async () => {
    const get: TestSite['get'] = (path) => {
      site.clock.now += 100;
      return site.get(path);
    };
    const publisher = createPublisher(db);
    await publisher.publish();
    const mirrors: Mirror[] = [];
    const startOne = async (): Promise<void> => {
      const mirror = createMirror(get, 7 + 40 * (mirrors.length % 4));
      mirrors.push(mirror);
      await mirror.start();
    };
    await startOne();
    let operations = 0;
    let now = NOW;
    const counts = { removed: 0 };
    for (let round = 0; operations < OPERATIONS; round += 1) {
      const steps = fc.sample(step, { numRuns: 100, seed: SEED + round });
      for (const given of steps) {
        now += 1000;
        if (given.kind === 'import') {
          const records = given.which.map((entry) => toRecord(given, entry));
          await importRecords(db, given.list, records, now);
          operations += given.which.length;
        } else if (given.kind === 'remove') {
          const reason = REMOVAL_REASONS[given.reason] ?? 'other';
          operations += 1;
          if (removeEntry(db, given.list, `${given.list} ${given.which}`, reason, now)) counts.removed += 1;
        } else if (given.kind === 'publish') {
          await publisher.publish();
        } else if (given.kind === 'start' && mirrors.length < 12) {
          await startOne();
        } else {
          await mirrors[round % mirrors.length]?.follow();
        }
      }
    }
    const expected = readLists(db);
    expect(counts.removed).toBeGreaterThan(100);
    for (const kind of LIST_KINDS) expect(expected[kind].length).toBeGreaterThan(10);
    expect(mirrors.length).toBeGreaterThan(3);
    for (const mirror of mirrors) {
      await mirror.follow();
      expect(sorted(mirror)).toEqual(expected);
      expect(mirror.restarts).toBe(0);
    }
    await publisher.publish();
    const late = createMirror(get);
    await late.start();
    expect(sorted(late)).toEqual(expected);
    const fromTheBeginning = createMirror((path) => get(path.replace('since=&', '')), 500);
    await fromTheBeginning.follow();
    expect(sorted(fromTheBeginning)).toEqual(expected);
  });
});
