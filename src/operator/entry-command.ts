/** The verb `entry`: adds, changes, removes and shows single entries. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { avatarsFolder, removeAvatar } from '../avatars/avatar-store.ts';
import { readLogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { addEntry } from '../entries/add-entry.ts';
import { changeEntry, type EntryChange } from '../entries/change-entry.ts';
import { readId, readNick } from '../entries/check-input.ts';
import { LIST_KINDS, type ListKind } from '../entries/entry.ts';
import type { EntryField } from '../entries/entry-fields.ts';
import { formerNamesOf } from '../entries/former-names.ts';
import { REDACTED, toImportRecord } from '../entries/export-records.ts';
import { findByAnyName, findByNick, getRow, getRows } from '../entries/find-entry.ts';
import { hasVisibleText, type ImportRecordInput } from '../entries/import-record.ts';
import { STATUSES, type Status } from '../entries/list-query.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../removals/removal-reasons.ts';
import { removeNamed } from '../removals/remove-named.ts';
import { findMistakenId } from '../entries/find-mistaken-id.ts';
import { isPlatformId } from '../platform-id.ts';
import { findRow } from '../entries/write-entries.ts';
import { named } from '../text/shorten.ts';
import { note, print, type Cli } from './console/cli.ts';
import { findTombstones, formatHistory, readHistory, type Tombstone } from './entry-history.ts';
import { findLookAlikePairs, printLookAlikes } from './look-alike-pairs.ts';
import {
  ANY_NAME,
  jsonOption,
  listOption,
  STANDARD_INPUT,
  wholeNumber,
  type Target,
} from './console/options.ts';
import { withReserve } from './console/full-disk.ts';
import { listEntries } from './list-entries.ts';
import { addNoteCommand, describeNotes, formatNotes } from './note-command.ts';
import { describeOtherLists } from './other-lists.ts';
import { BadInputError, counted, EXIT_COULD_NOT_RUN, VerbError } from './console/outcome.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { NAMES, readStandardInput, readText } from './console/read-input.ts';
import { untilStopped } from './console/until-stopped.ts';
import { readDatabase, withdraw, withDatabase, withPresentDatabase } from './with-database.ts';

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

export function addEntryCommand(program: Command, cli: Cli): void {
  const entry = program.command('entry').description('work on single entries');

  const add = entry
    .command('add')
    .description('add an entry with its proofs at once; one that is there is never changed');
  factOptions(add)
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption().makeOptionMandatory())
    .option('--report-id <id>', 'report number; made when it is not given')
    .addOption(
      new Option(
        '--proof <file>',
        `a picture, at most ${PROOFS_MAX} times; - reads standard input`,
      ).argParser(collectProof),
    )
    .addOption(
      new Option('--caption <text>', 'what the --proof before it shows, one line').argParser(
        (text, before: Captions = {}) => {
          const { proof } = add.opts<AddOptions>();
          if (!proof) throw new InvalidArgumentError('It belongs to the --proof before it.');
          return { ...before, [proof.length - 1]: text };
        },
      ),
    )
    .addOption(
      new Option('--proofs <who>', 'whether everybody may see them')
        .choices(['public', 'private'])
        .default('private'),
    )
    .option('--odd-id', 'allow an ID that is not 17 to 20 digits')
    .option('--yes', 'add again what was removed')
    .addOption(jsonOption())
    .action(async (id: string, options: AddOptions) => {
      checkId(id, options.oddId ?? false);
      const { list, proof = [], caption = {}, reasonFile, yes: bringsBack = false } = options;
      if ([...proof, reasonFile].filter((file) => file === STANDARD_INPUT).length > 1)
        throw new BadInputError('standard input is one thing: the reason, or one --proof');
      const { name, reason, ...fields } = await toFields(cli, options);
      if (name === undefined) throw new BadInputError('--name is missing');
      if (reason === undefined)
        throw new BadInputError(`--reason or --reason-file is missing: ${NO_DESCRIPTION}`);
      const items = proof.map((file, at) => ({ file, caption: caption[at] }));
      const proofs = items.length > 0 ? { private: options.proofs === 'private', items } : undefined;
      const contents = await readStandardInput(cli, proof);
      await withDatabase(cli, async (db) => {
        const { seq } = readLogHead(db);
        const record = { id, verified: list === 'legit', name, reason, ...fields, proofs };
        await addEntry(db, list, record, {
          by: cli.by,
          dataFolder: cli.config.dataFolder,
          refusedHosts: cli.config.refusedProofHosts,
          contents,
          bringsBack,
          onNotice: ({ problem }) => note(cli, problem),
        });
        printEntry(cli, db, list, id, options.json);
        printLookAlikes(cli, [...findLookAlikePairs(db, seq)]);
        for (const text of describeOtherLists(db, seq)) note(cli, text);
      });
    });

  factOptions(entry.command('edit').description('change what is given of an entry, keep the rest'))
    .argument('<id>', ANY_NAME)
    .addOption(listOption().makeOptionMandatory())
    .option('--id <id>', 'correct the chat-platform ID; report number, proofs and views stay')
    .option('--odd-id', 'allow an ID that is not 17 to 20 digits')
    .option(
      '--redact',
      'erase for good what --name and --reason replace, former names and all proofs: no backup brings them back',
    )
    .option('--keep-proofs', 'with --redact: erase no proofs')
    .option('--forget-names', 'erase for good the names that the entry had before')
    .addOption(
      new Option('--append <markdown>', 'add a paragraph to the reason').conflicts([
        'reason',
        'reasonFile',
        'redact',
      ]),
    )
    .addOption(jsonOption())
    .action(async (name: string, options: EditOptions) => {
      const fields = await toFields(cli, options);
      const { id: newId, redact, keepProofs, forgetNames, append } = options;
      if (newId !== undefined) checkId(newId, options.oddId ?? false);
      if (redact && fields.name === undefined && fields.reason === undefined)
        throw new BadInputError(
          '--redact needs --name, --reason or --reason-file: what stands there instead ("proofs remove" erases proofs alone, --forget-names former names)',
        );
      if (keepProofs && !redact) throw new BadInputError('--keep-proofs needs --redact');
      if (append !== undefined && !hasVisibleText(append)) throw new BadInputError('--append is empty');
      const { proofs, ...texts } = REDACTED;
      const erasedFields = keepProofs ? texts : { ...texts, proofs };
      const replaced = {
        ...fields,
        ...(redact && erasedFields),
        ...(newId !== undefined && { id: newId }),
      };
      const isWhole = Object.keys(replaced).length > 0 || forgetNames;
      if (!isWhole && append === undefined)
        throw new BadInputError('nothing to change: give at least one of the fields (see --help)');
      const what = { fields: replaced, append, redacts: redact, forgetsNames: forgetNames };
      await change(cli, name, options, what, !isWhole);
    });

  for (const [verb, verified] of [
    ['verify', true],
    ['unverify', false],
  ] as const) {
    entry
      .command(verb)
      .description(verified ? 'mark an entry as verified' : 'move an entry to the risk list')
      .argument('<id>', ANY_NAME)
      .addOption(listOption().makeOptionMandatory())
      .addOption(jsonOption())
      .action((name: string, options: Target) => {
        const verifiedAt = verified ? new Date().toISOString() : null;
        return change(cli, name, options, { fields: { verified, verifiedAt } }, true);
      });
  }

  entry
    .command('remove')
    .description('remove an entry with its texts and proofs; a tombstone without anything personal stays')
    .argument(
      '<id>',
      `${ANY_NAME}; - reads many, one a line: all are looked at first, and ended half-way the command goes on when it is run again`,
    )
    .addOption(listOption().makeOptionMandatory())
    .addOption(
      new Option('--reason <code>', 'why: appeal was granted, the person requests it, …')
        .choices([...REMOVAL_REASONS])
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action(async (name: string, { list, reason, json }: Target & { reason: RemovalReason }) => {
      const names = name === STANDARD_INPUT ? await readNames(cli) : undefined;
      await withdraw(cli, async (db) => {
        const given = names ?? [getRow(db, list, name).chat_id];
        const bar = createProgressBar(given.length);
        const { ids, left, removedBefore } = await untilStopped((signal) =>
          removeNamed(
            db,
            { list, names: given, reason },
            {
              by: cli.by,
              attempt: (step) => withReserve(cli, step),
              signal,
              onStep: (done) => bar.update(done),
            },
          ),
        ).finally(() => bar.end());
        if (removedBefore.length > 0) {
          const count = counted(removedBefore.length, 'entry', 'entries');
          note(cli, `removed already: ${count} (${named(removedBefore)})`);
        }
        const removals = ids.map((id) => ({
          list,
          id,
          removed: true,
          reason,
          alsoIn: LIST_KINDS.filter((other) => findRow(db, other, id)),
        }));
        const text = removals.flatMap(({ id, alsoIn }) => [
          `removed ${id} from ${list}: ${reason}`,
          ...alsoIn.map((other) => `${other} still has an entry with the ID ${id}`),
        ]);
        if (names || removals[0]) print(cli, json, names ? removals : removals[0], text.join('\n'));
        if (left.length === 0) return;
        const again = 'changed meanwhile and not removed; run the command again';
        if (!names) throw new VerbError('conflict', `${name} was ${again}`);
        note(cli, `${named(left)} were ${again}`);
        cli.exitCode = EXIT_COULD_NOT_RUN;
      });
    });

  addNoteCommand(entry, cli);

  entry
    .command('show')
    .description('show an entry with its history, in every list that has it; or what stays of a removed one')
    .argument('<id>', `${ANY_NAME}, mention, link to a profile, or nick; a removed entry has no nick`)
    .addOption(listOption())
    .addOption(jsonOption())
    .action(async (id: string, options: Partial<Target>) => {
      await readDatabase(cli, (db) => {
        const { list, json } = options;
        const name = findByAnyName(db, id).length > 0 ? id : readId(id);
        const isThere = findByAnyName(db, name).length > 0;
        const tombstones = isThere ? [] : findTombstones(db, name);
        if (tombstones.length > 0)
          return print(cli, json, tombstones, tombstones.map(formatTombstone).join('\n\n'));
        const ofNick = isThere ? [] : findByNick(db, readNick(id), list);
        const rows = ofNick.length > 0 ? ofNick : getRows(db, name, list);
        const shown = rows.map((row) => ({
          ...describeEntry(db, row.list, row.chat_id),
          notes: describeNotes(db, row.row),
        }));
        print(cli, json, shown, shown.map(formatEntry).join('\n\n'));
      });
    });

  entry
    .command('list')
    .description('list entries, newest first; with --older-than oldest first')
    .addOption(listOption().makeOptionMandatory())
    .option('--search <text>', 'only those with this text in name, ID or reason')
    .addOption(new Option('--status <status>').choices([...STATUSES]).default('all'))
    .addOption(new Option('--risk', 'only those that wait to be verified').implies({ status: 'risk' }))
    .option('--older-than <days>', 'only those reported more days ago', wholeNumber(0))
    .option('--skip <count>', 'leave out the first', wholeNumber(0), 0)
    .option('--limit <count>', 'show at most this many', wholeNumber(1), 30)
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      await readDatabase(cli, (db) => {
        const { entries, total } = listEntries(db, options.list, options);
        const lines = entries.map(
          (found) => `${found.id}\t${found.verified ? 'verified' : 'risk'}\t${found.reportId}\t${found.name}`,
        );
        const shown = entries.map((found) => ({
          ...found,
          reportedAt: new Date(found.reportedAt).toISOString(),
          verifiedAt: found.verifiedAt === null ? null : new Date(found.verifiedAt).toISOString(),
          updatedAt: new Date(found.updatedAt).toISOString(),
        }));
        print(
          cli,
          options.json,
          { entries: shown, total, hasMore: options.skip + entries.length < total },
          [...lines, `${entries.length} of ${total}`].join('\n'),
        );
      });
    });
}

/** @throws {BadInputError} */
function checkId(id: string, allowsOdd: boolean): void {
  const mistake = findMistakenId(id);
  if (mistake !== undefined) throw new BadInputError(`the ID ${JSON.stringify(id)} ${mistake}`);
  if (!allowsOdd && !isPlatformId(id))
    throw new BadInputError(
      `the ID ${JSON.stringify(id)} is not 17 to 20 digits; --odd-id says that this is meant`,
    );
}

interface AddOptions extends Facts, Target {
  oddId?: true;
  proof?: string[];
  caption?: Captions;
  proofs: 'public' | 'private';
  yes?: true;
}

/** By the place of their proof. */
type Captions = Readonly<Record<number, string>>;

const PROOFS_MAX = 20;

/** @throws {InvalidArgumentError} */
function collectProof(file: string, before: string[] = []): string[] {
  if (before.length === PROOFS_MAX) throw new InvalidArgumentError(`At most ${PROOFS_MAX} are taken.`);
  return [...before, file];
}

interface EditOptions extends Facts, Target {
  id?: string;
  oddId?: true;
  append?: string;
  redact?: true;
  keepProofs?: true;
  forgetNames?: true;
}

interface ListOptions extends Target {
  search?: string;
  status: Status;
  olderThan?: number;
  skip: number;
  limit: number;
}

function factOptions(command: Command): Command {
  return command
    .option('--name <name>', 'nickname or server name')
    .option('--reason <markdown>', 'reason, Markdown')
    .option('--reason-file <file>', 'read the reason from a file; - reads standard input')
    .addOption(new Option('--verified', 'verified entry').conflicts('risk'))
    .option('--risk', 'risk list')
    .option('--reported-at <time>', 'ISO 8601 time or epoch milliseconds')
    .option('--views <count>', 'how often it was viewed', wholeNumber(0));
}

/** The import format allows it for lists from elsewhere; pages promise that operators make no such entry. */
const NO_DESCRIPTION = 'no entry is made without a description';

async function toFields(cli: Cli, options: Facts): Promise<Partial<ImportRecordInput>> {
  if (options.reason !== undefined && options.reasonFile !== undefined) {
    throw new BadInputError('give --reason or --reason-file, not both');
  }
  const { reasonFile } = options;
  const reason = reasonFile === undefined ? options.reason : await readText(cli, reasonFile);
  if (reason !== undefined && !hasVisibleText(reason))
    throw new BadInputError(
      `${reasonFile ?? '--reason'} is empty: ${NO_DESCRIPTION}; say in Markdown what happened`,
    );
  const { name, verified, risk, reportId, views, reportedAt } = options;
  const fields = {
    name,
    reason,
    verified: risk ? false : verified,
    verifiedAt: verified ? new Date().toISOString() : risk && null,
    reportId,
    views,
    reportedAt: /^\d+$/.test(String(reportedAt)) ? Number(reportedAt) : reportedAt,
  } satisfies Record<Exclude<EntryField, 'id' | 'proofs'>, unknown>;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function change(
  cli: Cli,
  name: string,
  { list, json }: Target,
  what: EntryChange,
  isRepeatable: boolean,
): Promise<void> {
  const withdraws = what.redacts || what.forgetsNames;
  await (withdraws ? withdraw : withPresentDatabase)(cli, async (db) => {
    const { seq } = readLogHead(db);
    const write = () => changeEntry(db, list, name, what, { by: cli.by, isRepeatable });
    const { idBefore, id } = await (withdraws ? withReserve(cli, write) : write());
    if (id !== idBefore && isPlatformId(idBefore))
      removeAvatar(avatarsFolder(cli.config.dataFolder), idBefore);
    printEntry(cli, db, list, id, json);
    for (const text of describeOtherLists(db, seq)) note(cli, text);
  });
}

/** Report numbers have up to 64, and chat-platform IDs fewer. */
const NAME_MAX = 100;

/** @throws {BadInputError} */
async function readNames(cli: Cli): Promise<string[]> {
  const names = (await readText(cli, STANDARD_INPUT, NAMES)).split('\n').map((line) => line.trim());
  const long = names.findIndex((line) => line.length > NAME_MAX);
  if (long !== -1)
    throw new BadInputError(
      `line ${long + 1} of standard input names no entry: it has over ${NAME_MAX} characters`,
    );
  const given = [...new Set(names.filter((line) => line !== ''))];
  if (given.length === 0) throw new BadInputError('standard input names no entry; one ID a line is needed');
  return given;
}

function describeEntry(db: Database, list: ListKind, id: string) {
  const row = getRow(db, list, id);
  return {
    list,
    _id: row.entry_id,
    proofsId: row.proofs_id,
    ...toImportRecord(db, row, (item) => item.fileName ?? item.fileSha256 ?? undefined),
    formerNames: formerNamesOf(db, row.entry_id),
    updatedAt: new Date(row.updated_at).toISOString(),
    history: readHistory(db, row.entry_id),
  };
}

type ShownEntry = ReturnType<typeof describeEntry> & { notes: ReturnType<typeof describeNotes> };

function formatEntry(entry: ShownEntry): string {
  const { history, proofs, reason, formerNames, notes, ...facts } = entry;
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${String(value)}`],
  );
  if (formerNames.length > 0) lines.push(`former names: ${formerNames.join(', ')}`);
  lines.push(`proofs: ${proofs ? `${proofs.items.length}${proofs.private ? ', private' : ''}` : 'none'}`);
  lines.push(...formatNotes(notes), ...formatHistory(history), `reason:\n${reason}`);
  return lines.join('\n');
}

function printEntry(cli: Cli, db: Database, list: ListKind, id: string, asJson: boolean | undefined): void {
  const entry = describeEntry(db, list, id);
  const mark = entry.verified ? 'verified' : 'risk';
  print(cli, asJson, entry, `${list}: ${entry.name} (${entry.id}), ${mark}, report ${entry.reportId}`);
}

function formatTombstone({ list, _id, reportId, history }: Tombstone): string {
  return [`removed from ${list}`, `_id: ${_id}`, `reportId: ${reportId}`, ...formatHistory(history)].join(
    '\n',
  );
}
