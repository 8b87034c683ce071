/**
 * The checks of `restore`, which run when a backup is made, too, so that no restore refuses it later. Rows are checked by
 * the rules of the commands that write them. SQLite's integrity check has types and CHECK constraints; HTML is rendered
 * again and pictures are made again, so neither is checked.
 */
import { z } from 'zod';
import { openDatabase, sqlBuilder, type Database } from '../db/database.ts';
import { isDiskFull } from '../db/disk-room.ts';
import { findSchemaProblem, migrationNames } from '../db/migrate.ts';
import { findProperty } from '../db/properties.ts';
import type { Tables } from '../db/tables.ts';
import { DONATION_ID } from '../donations/donation-id.ts';
import { parseLitecoinAddress } from '../donations/litecoin-address.ts';
import { NETWORKS } from '../donations/litecoin-network.ts';
import { entryIdOf, proofsIdOf } from '../entries/entry-identity.ts';
import { appealNoteSchema } from '../entries/write-appeal.ts';
import { noteSchema } from '../entries/entry-notes.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { BY_SHA256, exportRecords } from '../entries/export-records.ts';
import { nameSchema, paragraphsSchema, parseImportRecord, TIME_MAX } from '../entries/import-record.ts';
import { NOTE_MAX } from '../status/incidents.ts';
import { PART_IDS } from '../status/status.ts';
import { describeIssue } from '../text/describe-issue.ts';

/** A cursor takes numbers of at most 15 digits; most of them stay for the changes to come. */
const NUMBER_MAX = 2 ** 47;
/** Orders have 29 bits for the number of a row. */
const ROW_MAX = 2 ** 29 - 1;

const number = z.int().min(0).max(NUMBER_MAX);
/** Epoch milliseconds. */
const time = z.int().min(0).max(TIME_MAX);
const list = z.enum(LIST_KINDS);
const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`), `must be ${digits} hexadecimal digits`);
const entryId = hex(24);
const sha256 = hex(64);
const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'holds a control character');
const followsFrom = (source: string, field: string) => ({
  path: [field],
  error: `does not follow from ${source}`,
});

type TimeColumn = Extract<keyof Tables['entries'], `${string}_${'at' | 'since'}`>;

/** The columns that files, addresses, times and numbers in answers are made of; parseImportRecord checks the texts. */
const TABLES = {
  sqlite_sequence: z
    .object({ name: z.string(), seq: number })
    .refine(({ name, seq }) => name !== 'entries' || seq <= ROW_MAX, {
      path: ['seq'],
      error: 'leaves no row numbers',
    }),
  entries: z
    .object({
      row: z.int().min(1).max(ROW_MAX),
      entry_id: entryId,
      report_id: z.string(),
      proofs_id: z.string().nullable(),
      reported_at: time,
      verified_at: time.nullable(),
      account_since: time.nullable(),
      updated_at: time,
    } satisfies Record<TimeColumn, z.ZodType> & Record<string, z.ZodType>)
    .refine((row) => row.entry_id === entryIdOf(row.report_id), followsFrom('report_id', 'entry_id'))
    .refine(
      (row) => row.proofs_id === null || row.proofs_id === proofsIdOf(row.report_id),
      followsFrom('report_id', 'proofs_id'),
    ),
  proof_items: z.object({
    position: number,
    file_sha256: sha256.nullable(),
    file_name: oneLine(2 * 255).nullable(),
  }),
  proof_changes: z.object({ at: time }),
  changes: z.object({ seq: number, at: time, list, entry_id: entryId }),
  former_names: z.object({ former: number, name: nameSchema }),
  entry_notes: z.object({
    note: number,
    at: time,
    by: oneLine(300).nullable(),
    text: noteSchema,
  }),
  appeals: z.object({
    appeal: number,
    opened_at: time,
    decided_at: time.nullable(),
    note: appealNoteSchema.nullable(),
  }),
  entry_counts: z.object({ day: z.iso.date(), days: number, count: z.int() }),
  tombstones: z
    .object({ entry_id: entryId, report_id: z.string(), list, removed_at: time })
    .refine((row) => row.entry_id === entryIdOf(row.report_id), followsFrom('report_id', 'entry_id')),
  removals: z.object({
    at: time,
    list: z.string().min(1),
    entry_id: z.string().min(1),
    history: z.string().min(1),
    change: number,
  }),
  status_streaks: z.object({ since: time }),
  incidents: z.object({
    incident: number,
    part: z.enum(PART_IDS),
    opened_at: time,
    closed_at: time.nullable(),
    note: paragraphsSchema(NOTE_MAX).nullable(),
    updated_at: time,
  }),
  donations: z
    .object({
      id: z.string().regex(DONATION_ID, 'must be ltc_ and 16 to 64 lower-case hexadecimal digits'),
      network: z.enum(NETWORKS),
      address: z.string(),
      script: z.string(),
      status_since: time,
      tx_id: sha256.nullable(),
      forward_tx_id: sha256.nullable(),
      created_at: time,
      expires_at: time,
    })
    .refine(
      ({ address, network, script }) => {
        const parsed = parseLitecoinAddress(address, network);
        return parsed.ok && parsed.address === address && parsed.script === script;
      },
      followsFrom('address', 'script'),
    ),
  donation_transitions: z.object({ at: time }),
  donation_outputs: z.object({ tx_id: sha256, first_seen_at: time, spent_by: sha256.nullable() }),
};

/** Properties of the data; the others are about the machine and the time of the backup. */
const PROPERTIES: Readonly<Record<string, z.ZodType>> = {
  history: hex(16),
  earlier_logs: z
    .string()
    .regex(/^[0-9a-f]{16}(?: [0-9a-f]{16})*$/, 'must be names of 16 hexadecimal digits')
    .optional(),
  oldest_schema: z.enum(migrationNames()),
  sample: z.string().optional(),
};

/** Bounds what a message repeats of a row. */
const SHOWN_MAX = 80;

/**
 * Compares the schema before any write, because triggers and expressions of a foreign schema must not run.
 * @param file a copy, opened for writing: on a read-only connection SQLite knows no CHECK constraints
 * @returns a sentence with the operator's name of the file; undefined when it is sound
 */
export function findFileProblem(file: string, name: string, takesLater = false): string | undefined {
  try {
    {
      using db = openDatabase(file, 'read');
      const problem = findSchemaProblem(db, name, takesLater);
      if (problem !== undefined) return problem;
    }
    using db = openDatabase(file, 'write', { mustExist: true });
    db.connection.pragma('cell_size_check = ON');
    const outcome = db.connection.pragma('integrity_check', { simple: true });
    if (outcome !== 'ok') return `${name} is damaged: ${String(outcome)}`;
    const [row] = db.connection.pragma('foreign_key_check') as { table: string; rowid: number | null }[];
    return row && `${name} is damaged: row ${row.rowid} of ${row.table} refers to a row that is missing`;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return `${name} holds no sound database: ${(error as Error).message}`;
  }
}

/** @param db has this version's schema @returns the first wrong value, as the end of a sentence */
export function findRowProblem(db: Database): string | undefined {
  const problemOf = (place: string, schema: z.ZodType, value: unknown): string | undefined => {
    const [issue] = schema.safeParse(value, { error: describeIssue }).error?.issues ?? [];
    return issue && `${[place, ...issue.path].join('.')} ${issue.message}`;
  };
  for (const [table, schema] of Object.entries(TABLES)) {
    const columns = Object.keys(schema.shape).join(', ');
    // By hand: the tables follow from the schemas, and one of them is SQLite's own.
    for (const row of db.connection.prepare(`SELECT ${columns} FROM ${table}`).iterate()) {
      const problem = problemOf(table, schema, row);
      if (problem !== undefined) return `${problem}, in ${JSON.stringify(row).slice(0, SHOWN_MAX)}`;
    }
  }
  const textless = sqlBuilder
    .selectFrom('entries')
    .select('report_id')
    .where('row', 'not in', sqlBuilder.selectFrom('contents').select('row'))
    .orderBy('row');
  const [entry] = db.all(textless);
  if (entry) return `the entry "${entry.report_id}" has no text`;
  for (const [key, schema] of Object.entries(PROPERTIES)) {
    const problem = problemOf(`properties.${key}`, schema, findProperty(db, key));
    if (problem !== undefined) return problem;
  }
  for (const kind of LIST_KINDS)
    for (const record of exportRecords(db, kind, BY_SHA256)) {
      const checked = parseImportRecord(record, kind);
      if (checked.ok) continue;
      const [{ field, problem } = { field: '', problem: '' }] = checked.problems;
      return `the entry ${JSON.stringify(record.reportId)}: ${field} ${problem}`;
    }
  return undefined;
}

/** Tables about the machine and the backup's time, and tables derived from the entries. */
const NOT_RESTORED = [
  'imports',
  'status_snapshot',
  'litecoin_rates',
  'look_alike_hashes',
  'published',
  'list_indexes',
] as const;

/** Removes rows and properties that are not of the data; the service writes them again. */
export function emptyNotRestored(db: Database): void {
  db.write((tx) => {
    for (const table of NOT_RESTORED) tx.run(sqlBuilder.deleteFrom(table));
    tx.run(sqlBuilder.deleteFrom('properties').where('key', 'not in', Object.keys(PROPERTIES)));
  });
}
