/** The verb `entry`: adds, changes, removes and shows single entries. */
import type { Command } from 'commander';
import type { Cli } from './console/cli.ts';
import { addReadingVerbs } from './entry-read-command.ts';
import { addRemoveVerb } from './entry-remove-command.ts';
import { addWritingVerbs } from './entry-write-command.ts';
import { addNoteCommand } from './note-command.ts';

export function addVerbs(program: Command, cli: Cli): void {
  const entry = program.command('entry').description('work on single entries');
  addWritingVerbs(entry, cli);
  addRemoveVerb(entry, cli);
  addNoteCommand(entry, cli);
  addReadingVerbs(entry, cli);
}
