/** The verb `entry`: single entries, added, changed, removed and looked at. Writing goes the way of an import. */
import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Config } from '#src/config.ts';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { toImportRecord } from '#src/entries/export-records.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { createImportSession } from '#src/entries/import-session.ts';
import type { ImportProblem } from '#src/entries/import-session.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { ProofsFilter, Sort, Status } from '#src/entries/list-query.ts';
import { findRow, removeEntry, REMOVAL_REASONS } from '#src/entries/write-entries.ts';
import type { EntryRow, RemovalReason } from '#src/entries/write-entries.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { jsonOption, listOption, wholeNumber } from './options.ts';
import { BadInputError, print } from './outcome.ts';
import { withDatabase } from './transfer-commands.ts';

interface Facts {
  name?: string;
  reason?: string;
  reasonFile?: string;
  verified?: true;
  risk?: true;
  reportedAt?: string | number;
  reportId?: string;
  views?: number;
}

interface Target {
  list: ListKind;
  json?: boolean;
}

export function addEntryCommand(program: Command, config: Config): void {
  const entry = program.command('entry').description('work on single entries');

  factOptions(entry.command('add').description('add an entry; fails when the list has the ID already'))
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption().makeOptionMandatory())
    .option('--report-id <id>', 'report number; made when it is not given')
    .addOption(jsonOption())
    .action(async (id: string, options: Facts & Target) => {
      await withDatabase(config, async (db) => {
        if (findRow(db, options.list, id))
          throw new BadInputError(`${options.list} has an entry with the ID ${id} already`);
        const fields = toFields(options);
        if (fields.name === undefined) throw new BadInputError('--name is missing');
        const record = { id, reason: '', verified: options.list === 'legit', ...fields };
        await writeRecord(db, options.list, record);
        printEntry(db, options.list, id, options.json);
      });
    });

  factOptions(entry.command('edit').description('change what is given of an entry, keep the rest'))
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption().makeOptionMandatory())
    .addOption(jsonOption())
    .action((id: string, options: Facts & Target) => change(config, id, options, toFields(options)));

  for (const [verb, verified] of [
    ['verify', true],
    ['unverify', false],
  ] as const) {
    entry
      .command(verb)
      .description(verified ? 'mark an entry as verified' : 'move an entry to the risk list')
      .argument('<id>', 'chat-platform ID')
      .addOption(listOption().makeOptionMandatory())
      .addOption(jsonOption())
      .action((id: string, options: Target) => change(config, id, options, { verified }));
  }

  entry
    .command('remove')
    .description('remove an entry with its texts and proofs; a tombstone without anything personal stays')
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption().makeOptionMandatory())
    .addOption(new Option('--reason <code>', 'why').choices([...REMOVAL_REASONS]).default('other'))
    .addOption(jsonOption())
    .action(async (id: string, options: Target & { reason: RemovalReason }) => {
      await withDatabase(config, (db) => {
        const { list } = options;
        if (!removeEntry(db, list, id, options.reason, Date.now())) throw missing(list, id);
        print(options.json, { list, id, removed: true }, `removed ${id} from ${list}`);
      });
    });

  entry
    .command('show')
    .description('show an entry, in every list that has it')
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption())
    .addOption(jsonOption())
    .action(async (id: string, options: Partial<Target>) => {
      await withDatabase(config, (db) => {
        const lists = LIST_KINDS.filter((list) => (options.list ?? list) === list && findRow(db, list, id));
        if (lists.length === 0) throw missing(options.list, id);
        const shown = lists.map((list) => describeEntry(db, list, id));
        print(options.json, shown, shown.map(formatEntry).join('\n\n'));
      });
    });

  entry
    .command('list')
    .description('list entries, newest first')
    .addOption(listOption().makeOptionMandatory())
    .option('--search <text>', 'only those with this text in name, ID or reason')
    .addOption(new Option('--status <status>').choices([...STATUSES]).default('all'))
    .addOption(new Option('--proofs <proofs>').choices([...PROOFS_FILTERS]).default('all'))
    .addOption(new Option('--sort <sort>').choices([...SORTS]).default('newest'))
    .option('--skip <count>', 'leave out the first', wholeNumber(0), 0)
    .option('--limit <count>', 'show at most this many', wholeNumber(1), 30)
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      await withDatabase(config, (db) => {
        const page = listEntries(db, options.list, { ...options, search: options.search, id: undefined });
        const lines = page.entries.map(
          (found) => `${found.id}\t${found.verified ? 'verified' : 'risk'}\t${found.reportId}\t${found.name}`,
        );
        print(options.json, page, [...lines, `${page.entries.length} of ${page.total}`].join('\n'));
      });
    });
}

interface ListOptions extends Target {
  search?: string;
  status: Status;
  proofs: ProofsFilter;
  sort: Sort;
  skip: number;
  limit: number;
}

function factOptions(command: Command): Command {
  return command
    .option('--name <name>', 'nickname or server name')
    .option('--reason <markdown>', 'reason, Markdown')
    .option('--reason-file <file>', 'read the reason from a file')
    .addOption(new Option('--verified', 'verified entry').conflicts('risk'))
    .option('--risk', 'risk list')
    .option('--reported-at <time>', 'ISO 8601 time or epoch milliseconds')
    .option('--views <count>', 'how often it was viewed', parseViews);
}

function parseViews(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('A whole number of at least 0 is needed.');
  return Number(value);
}

function toFields(options: Facts): Partial<ImportRecordInput> {
  if (options.reason !== undefined && options.reasonFile !== undefined) {
    throw new BadInputError('give --reason or --reason-file, not both');
  }
  const reason = options.reasonFile === undefined ? options.reason : readFileSync(options.reasonFile, 'utf8');
  const { name, verified, risk, reportId, views, reportedAt } = options;
  const fields = {
    name,
    reason,
    verified: risk ? false : verified,
    reportId,
    views,
    reportedAt: /^\d+$/.test(String(reportedAt)) ? Number(reportedAt) : reportedAt,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function change(
  config: Config,
  id: string,
  target: Target,
  fields: Partial<ImportRecordInput>,
): Promise<void> {
  await withDatabase(config, async (db) => {
    const row = readRow(db, target.list, id);
    if (!row) throw missing(target.list, id);
    const { proofs: _kept, ...record } = toImportRecord(db, row, () => undefined);
    await writeRecord(db, target.list, { ...record, ...fields });
    printEntry(db, target.list, id, target.json);
  });
}

async function writeRecord(db: Database, list: ListKind, record: object): Promise<void> {
  const checked = parseImportRecord(record, list);
  if (!checked.ok) {
    throw new BadInputError(checked.problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
  }
  const problems: ImportProblem[] = [];
  const renderer = createMarkdownRenderer();
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile: () => Promise.resolve({ ok: false, problem: 'files are added with the verb proofs' }),
      onProblem: (problem) => problems.push(problem),
      onNotice: () => {},
      now: Date.now(),
    });
    await session.add(checked.record, 1);
    await session.settle();
    if (problems.length > 0) {
      session.discard();
      throw new BadInputError(problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
    }
    session.commit();
  } finally {
    await renderer.close();
  }
}

function readRow(db: Database, list: ListKind, id: string): (EntryRow & { reason: string }) | undefined {
  return db
    .statement<EntryRow & { reason: string }>(
      `SELECT entries.*, contents.reason FROM entries JOIN contents USING (content) WHERE chat_id = ? AND list = ?`,
    )
    .get(id, list);
}

function describeEntry(db: Database, list: ListKind, id: string) {
  const row = readRow(db, list, id);
  if (!row) throw missing(list, id);
  const history = db.all(
    db.sql.selectFrom('changes').select(['at', 'op']).where('entry_id', '=', row.entry_id).orderBy('seq'),
  );
  return {
    list,
    _id: row.entry_id,
    proofsId: row.proofs_id,
    ...toImportRecord(db, row, (item) => item.fileName ?? undefined),
    updatedAt: new Date(row.updated_at).toISOString(),
    history: history.map(({ at, op }) => ({ at: new Date(at).toISOString(), op })),
  };
}

function formatEntry(entry: ReturnType<typeof describeEntry>): string {
  const { history, proofs, reason, ...facts } = entry;
  const lines = Object.entries(facts).map(([key, value]) => `${key}: ${String(value)}`);
  lines.push(`proofs: ${proofs ? `${proofs.items.length}${proofs.private ? ', private' : ''}` : 'none'}`);
  lines.push(...history.map(({ at, op }) => `${at} ${op}`), `reason:\n${reason}`);
  return lines.join('\n');
}

function printEntry(db: Database, list: ListKind, id: string, asJson: boolean | undefined): void {
  const entry = describeEntry(db, list, id);
  print(asJson, entry, `${list}: ${entry.name} (${entry.id}), report ${entry.reportId}`);
}

function missing(list: ListKind | undefined, id: string): BadInputError {
  return new BadInputError(`${list ?? 'no list'} has ${list ? 'no' : 'an'} entry with the ID ${id}`);
}
