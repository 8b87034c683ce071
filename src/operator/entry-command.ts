/** The verb `entry`: `show`, `list`, `remove` and `note`; what adds and changes is in entry-write-command.ts. */
import { Option, type Command } from 'commander';
import type { Database } from '../db/database.ts';
import { addNote, listNotes, newNoteSchema, NOTES_MAX, removeNote } from '../entries/entry-notes.ts';
import { LIST_KINDS, type ListKind } from '../entries/entry.ts';
import {
  listEntryRows,
  listEntryRowsByNick,
  getRowsOfList,
  findEntryRowByChatId,
  getEntryRows,
  notFoundError,
} from '../entries/find-entry-rows.ts';
import { STATUSES } from '../entries/list-query.ts';
import { toMirrorFacts } from '../entries/public-entry.ts';
import { parseId, parseNick } from '../entries/parse-check-input.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../removals/removal-reasons.ts';
import { removeByIdentifiers } from '../removals/remove-entries.ts';
import { describeIssue } from '../text/describe-issue.ts';
import { joinSome } from '../text/shorten.ts';
import { BadInputError, EXIT_COULD_NOT_RUN, OperatorError } from '../operator-error.ts';
import { print, type Cli, printNotice } from './console/cli.ts';
import { withReserve } from './console/full-disk.ts';
import { IDENTIFIERS, listOption, wholeNumber, type Target, STANDARD_INPUT } from './console/options.ts';
import { counted } from './console/outcome.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { NAMES, readText } from './console/read-input.ts';
import { listenForStop } from './console/stop-signals.ts';
import {
  describeEntry,
  describeMark,
  findTombstones,
  formatAppeal,
  formatHistory,
  type Tombstone,
} from './describe-entry.ts';
import { addWritingVerbs } from './entry-write-command.ts';
import { listEntries, type EntryQuery } from './list-entries.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

export function addVerbs(program: Command, cli: Cli): void {
  const entry = program.command('entry').description('work on single entries');
  addWritingVerbs(entry, cli);
  addRemovingVerb(entry, cli);
  addNoteVerb(entry, cli);
  addReadingVerbs(entry, cli);
}

function addReadingVerbs(entry: Command, cli: Cli): void {
  entry
    .command('show')
    .description('show an entry with its history, in every list that has it; or what stays of a removed one')
    .argument('<id>', `${IDENTIFIERS}, mention, link to a profile, or nick; a removed entry has no nick`)
    .addOption(listOption())
    .action(async (id: string, options: Partial<Target>) => {
      const db = await openMigrated(cli);
      const { list } = options;
      const isAskedFor = (one: { readonly list: ListKind }) => (list ?? one.list) === one.list;
      const given = listEntryRows(db, id);
      const identifier = given.length > 0 ? id : parseId(id);
      const found = (identifier === id ? given : listEntryRows(db, identifier)).filter(isAskedFor);
      const tombstones = found.length > 0 ? [] : findTombstones(db, identifier).filter(isAskedFor);
      if (tombstones.length > 0) return print(cli, tombstones, tombstones.map(formatTombstone).join('\n\n'));
      const ofNick = found.length > 0 ? [] : listEntryRowsByNick(db, parseNick(id), list);
      const rows = ofNick.length > 0 ? ofNick : getRowsOfList(found, identifier, list);
      const shown = rows.map(({ row, list: kind, chat_id }) => ({
        ...describeEntry(db, kind, chat_id),
        notes: describeNotes(db, row),
      }));
      print(cli, shown, shown.map(formatEntry).join('\n\n'));
    });

  entry
    .command('list')
    .description('list entries, newest first; with --older-than oldest first')
    .addOption(listOption().makeOptionMandatory())
    .option('--search <text>', 'only those with this text in name, ID or reason')
    .addOption(new Option('--status <status>').choices([...STATUSES]).default('all'))
    .addOption(new Option('--risk', 'only those that wait to be verified').conflicts('status'))
    .option('--hijacked', 'only those of accounts that a stranger has')
    .option('--older-than <days>', 'only those reported more days ago', wholeNumber(0))
    .option('--skip <count>', 'leave out the first', wholeNumber(0), 0)
    .option('--limit <count>', 'show at most this many', wholeNumber(1), 30)
    .action(async (options: Target & EntryQuery & { risk?: true }) => {
      const db = await openMigrated(cli);
      const { entries, total } = listEntries(db, options.list, {
        ...options,
        status: options.risk ? 'risk' : options.status,
      });
      const lines = entries.map(
        (found) => `${found.id}\t${describeMark(found)}\t${found.reportId}\t${found.name}`,
      );
      const shown = entries.map((found) => ({ ...found, ...toMirrorFacts(found) }));
      const hasMore = options.skip + entries.length < total;
      lines.push(`${entries.length} of ${total}`);
      print(cli, { entries: shown, total, hasMore }, lines.join('\n'));
    });
}

type ShownEntry = ReturnType<typeof describeEntry> & { notes: ReturnType<typeof describeNotes> };

function formatEntry(entry: ShownEntry): string {
  const { history, proofs, reason, formerNames, notes, appeal, ...facts } = entry;
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${String(value)}`],
  );
  if (appeal) lines.push(formatAppeal(appeal));
  if (formerNames.length > 0) lines.push(`former names: ${formerNames.join(', ')}`);
  lines.push(`proofs: ${proofs ? `${proofs.items.length}${proofs.private ? ', private' : ''}` : 'none'}`);
  lines.push(...formatNotes(notes), ...formatHistory(history), `reason:\n${reason}`);
  return lines.join('\n');
}

function formatTombstone({ list, _id, reportId, history }: Tombstone): string {
  const facts = [`removed from ${list}`, `_id: ${_id}`, `reportId: ${reportId}`];
  return [...facts, ...formatHistory(history)].join('\n');
}

function addRemovingVerb(entry: Command, cli: Cli): void {
  entry
    .command('remove')
    .description('remove an entry with its texts and proofs; a tombstone without anything personal stays')
    .argument(
      '<id>',
      `${IDENTIFIERS}; - reads many, one a line: all are looked at first, and ended half-way the command goes on when it is run again`,
    )
    .addOption(listOption().makeOptionMandatory())
    .addOption(
      new Option('--reason <code>', 'why: appeal was granted, the person requests it, …')
        .choices([...REMOVAL_REASONS])
        .makeOptionMandatory(),
    )
    .action(async (identifier: string, { list, reason }: Target & { reason: RemovalReason }) => {
      const identifiers = identifier === STANDARD_INPUT ? await readNames(cli) : undefined;
      const db = await openToWrite(cli, { usesDiskReserve: true });
      const given = identifiers ?? [identifier];
      using bar = createProgressBar(cli.stderr, given.length);
      using stop = listenForStop();
      const { ids, conflicts, removedBefore } = await removeByIdentifiers(db, list, given, reason, {
        by: cli.by,
        attempt: (step) => withReserve(cli, true, step),
        signal: stop.signal,
        onStep: (done) => bar.update(done),
      });
      bar.end();
      if (!identifiers && removedBefore.length > 0) throw notFoundError(db, list, identifier);
      if (removedBefore.length > 0) {
        const count = counted(removedBefore.length, 'entry', 'entries');
        printNotice(cli, `removed already: ${count} (${joinSome(removedBefore)})`);
      }
      const removals = ids.map((id) => ({
        list,
        id,
        removed: true,
        reason,
        alsoIn: LIST_KINDS.filter((other) => findEntryRowByChatId(db, other, id)),
      }));
      const text = removals.flatMap(({ id, alsoIn }) => [
        `removed ${id} from ${list}: ${reason}`,
        ...alsoIn.map((other) => `${other} still has an entry with the ID ${id}`),
      ]);
      if (identifiers || removals[0]) print(cli, identifiers ? removals : removals[0], text.join('\n'));
      if (conflicts.length === 0) return;
      const again = 'changed meanwhile and not removed; run the command again';
      if (!identifiers) throw new OperatorError('conflict', `${identifier} was ${again}`);
      printNotice(cli, `${joinSome(conflicts)} were ${again}`);
      cli.exitCode = EXIT_COULD_NOT_RUN;
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

function addNoteVerb(entry: Command, cli: Cli): void {
  entry
    .command('note')
    .description('add a private note, which "entry show" alone shows, or remove one')
    .argument('<id>', IDENTIFIERS)
    .argument('[text]', 'at most 2,000 characters; - reads standard input')
    .addOption(listOption())
    .option('--remove <number>', 'remove the note with this number', wholeNumber(1))
    .action(async (id: string, text: string | undefined, options: Partial<Target & { remove: number }>) => {
      const { list, remove } = options;
      if ((text === undefined) === (remove === undefined))
        throw new BadInputError('give the text of a note, or --remove with its number');
      const added = text === undefined ? undefined : await readNote(cli, text);
      const db = await openToWrite(cli);
      const [hit, ...others] = getEntryRows(db, parseId(id), list);
      if (!hit) return;
      if (others.length > 0) throw new BadInputError(`several lists have ${id}: say which with --list`);
      if (added !== undefined) addNote(db, hit.row, added, cli.by);
      if (remove !== undefined) removeNote(db, hit.row, remove);
      const notes = describeNotes(db, hit.row);
      print(cli, notes, `${hit.list}: ${hit.chat_id} has ${notes.length} of at most ${NOTES_MAX} notes`);
    });
}

/** @throws {BadInputError} */
async function readNote(cli: Cli, given: string): Promise<string> {
  const text = given === STANDARD_INPUT ? await readText(cli, STANDARD_INPUT) : given;
  const checked = newNoteSchema.safeParse(text.trim(), { error: describeIssue });
  if (!checked.success) throw new BadInputError(`the note ${checked.error.issues[0]?.message ?? 'is wrong'}`);
  return checked.data;
}

function describeNotes(db: Database, row: number) {
  return listNotes(db, row).map(({ at, ...note }) => ({ ...note, at: new Date(at).toISOString() }));
}

function formatNotes(notes: ReturnType<typeof describeNotes>): string[] {
  return notes.map(
    // Indented, so that no note looks like a line of the history after it.
    ({ note, at, by, text }) =>
      `note ${note}, ${at}${by === null ? '' : `, by ${by}`}:\n${text.replaceAll(/^/gm, '  ')}`,
  );
}
