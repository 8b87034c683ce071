/** Fills a database with invented entries: the demo's, or any number for tests and the benchmark. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readLogHead } from '#src/changes/change-log.ts';
import type { Database } from '#src/db/database.ts';
import { findProperty, SAMPLE_PROPERTY, setProperty } from '#src/db/properties.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { toReportId } from '#src/entries/entry-identity.ts';
import { listFileNames, parseImportRecord } from '#src/entries/import-record.ts';
import { StagingSession } from '#src/entries/staging-session.ts';
import { ProofStore } from '#src/proofs/store-proofs.ts';
import { storeDemoDonations } from './demo-donations.ts';
import { demoRecords } from './demo-records.ts';
import { sampleRecords } from './sample-records.ts';
import { countEntries } from '#src/entries/entry-statistics.ts';
import type { CliStreams } from '#src/operator/console/cli.ts';
import { createProgressBar } from '#src/operator/console/progress-bar.ts';
import { BadInputError } from '#src/operator-error.ts';

const IMAGES_FOLDER = join(import.meta.dirname, 'images');

export interface SeedOptions {
  /** Undefined: the demo's entries. */
  readonly count: number | undefined;
  /** The same number makes the same entries. */
  readonly seed: number;
  /** Undefined: all three lists. */
  readonly list: ListKind | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Gets a progress bar. */
  readonly stderr?: CliStreams['stderr'];
}

/** The shares resemble real lists: few servers, fewer trusted people. */
const SHARES: Readonly<Record<ListKind, number>> = { scammers: 0.8, servers: 0.12, legit: 0.08 };

/** @returns entries in each list @throws {BadInputError} when the database holds entries that are not invented */
export async function seedDatabase(db: Database, options: SeedOptions) {
  if (countEntries(db) > 0 && findProperty(db, SAMPLE_PROPERTY) === undefined)
    throw new BadInputError(
      `${db.path} holds real entries; sample data goes only into an empty or a sample database`,
    );
  db.write((tx) => setProperty(tx, SAMPLE_PROPERTY, 'yes'));
  using files = new ProofStore(db);
  const counts: Partial<Record<ListKind, number>> = {};
  for (const list of options.list ? [options.list] : LIST_KINDS)
    counts[list] = await fillList(db, list, options, files);
  if (options.count === undefined) storeDemoDonations(db, options.now);
  return counts;
}

async function fillList(
  db: Database,
  list: ListKind,
  { count, seed, list: only, now, stderr }: SeedOptions,
  files: ProofStore,
): Promise<number> {
  const total = count === undefined ? undefined : only ? count : Math.round(count * SHARES[list]);
  const records = total === undefined ? demoRecords(list) : sampleRecords(list, { count: total, seed });
  using bar = createProgressBar(stderr, total);
  await using session = new StagingSession(db, list, { now, comparedAtSeq: readLogHead(db).seq, files });
  let made = 0;
  for (const sample of records) {
    const checked = parseImportRecord({ reportId: sampleReportId(list, seed, sample.id), ...sample }, list);
    if (!checked.ok) throw new Error(`sample record ${made}: ${JSON.stringify(checked.problems)}`);
    made += 1;
    const named = listFileNames(checked.record).map(
      (fileName) => [fileName, { source: join(IMAGES_FOLDER, fileName), fileName }] as const,
    );
    await session.add(checked.record, made, new Map(named));
    bar.update(made, `${made} ${list}`);
  }
  await session.settle();
  const [problem] = session.problems;
  if (problem) throw new Error(`sample record: ${JSON.stringify(problem)}`);
  await session.commit();
  return made;
}

/** The same for the same seed: `_id` and `proofsId` follow from it. */
export function sampleReportId(list: ListKind, seed: number, id: string): string {
  return toReportId(createHash('sha256').update(`${list} ${seed} ${id}`).digest());
}
