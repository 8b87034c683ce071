/** The verb `entry note`: private notes of moderators. */
import type { Command } from 'commander';
import { readId } from '../entries/read-subject.ts';
import { addNote, listNotes, NOTES_MAX, noteText, removeNote } from '../entries/entry-notes.ts';
import { getRows } from '../entries/find-rows.ts';
import type { Database } from '../db/database.ts';
import { describeIssue } from '../text/describe-issue.ts';
import { print, type Cli } from './console/cli.ts';
import { ANY_NAME, listOption, STANDARD_INPUT, wholeNumber, type Target } from './console/options.ts';
import { BadInputError } from './console/outcome.ts';
import { readText } from './console/read-input.ts';
import { withPresentDatabase } from './with-database.ts';

export function addNoteCommand(entry: Command, cli: Cli): void {
  entry
    .command('note')
    .description('add a private note, which "entry show" alone shows, or remove one')
    .argument('<id>', ANY_NAME)
    .argument('[text]', 'at most 2,000 characters; - reads standard input')
    .addOption(listOption())
    .option('--remove <number>', 'remove the note with this number', wholeNumber(1))
    .action(async (name: string, text: string | undefined, options: NoteOptions) => {
      const { list, remove } = options;
      if ((text === undefined) === (remove === undefined))
        throw new BadInputError('give the text of a note, or --remove with its number');
      const added = text === undefined ? undefined : await readNote(cli, text);
      await withPresentDatabase(cli, (db) => {
        const [row, ...others] = getRows(db, readId(name), list);
        if (!row) return;
        if (others.length > 0) throw new BadInputError(`several lists have ${name}: say which with --list`);
        if (added !== undefined) addNote(db, row.row, added, cli.by);
        if (remove !== undefined) removeNote(db, row.row, remove);
        const notes = describeNotes(db, row.row);
        print(cli, notes, `${row.list}: ${row.chat_id} has ${notes.length} of at most ${NOTES_MAX} notes`);
      });
    });
}

interface NoteOptions extends Partial<Target> {
  remove?: number;
}

/** @throws {BadInputError} */
async function readNote(cli: Cli, given: string): Promise<string> {
  const text = given === STANDARD_INPUT ? await readText(cli, STANDARD_INPUT) : given;
  const checked = noteText.safeParse(text.trim(), { error: describeIssue });
  if (!checked.success) throw new BadInputError(`the note ${checked.error.issues[0]?.message ?? 'is wrong'}`);
  return checked.data;
}

export function describeNotes(db: Database, row: number) {
  return listNotes(db, row).map(({ at, ...note }) => ({ ...note, at: new Date(at).toISOString() }));
}

export function formatNotes(notes: ReturnType<typeof describeNotes>): string[] {
  return notes.map(
    ({ note, at, by, text }) => `note ${note}, ${at}${by === null ? '' : `, by ${by}`}:\n${text}`,
  );
}
