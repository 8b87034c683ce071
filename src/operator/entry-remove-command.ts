/** `entry remove`. */
import { Option, type Command } from 'commander';
import { LIST_KINDS } from '../entries/entry.ts';
import { findRowByChatId, getRow } from '../entries/find-rows.ts';
import { REMOVAL_REASONS, type RemovalReason } from '../removals/removal-reasons.ts';
import { removeNamed } from '../removals/remove-named.ts';
import { named } from '../text/shorten.ts';
import { notice, print, type Cli } from './console/cli.ts';
import { withReserve } from './console/full-disk.ts';
import { ANY_NAME, listOption, STANDARD_INPUT, type Target } from './console/options.ts';
import { BadInputError, counted, EXIT_COULD_NOT_RUN, VerbError } from './console/outcome.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { NAMES, readText } from './console/read-input.ts';
import { untilStopped } from './console/until-stopped.ts';
import { withReservedRoom } from './with-database.ts';

export function addRemoveVerb(entry: Command, cli: Cli): void {
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
    .action(async (name: string, { list, reason }: Target & { reason: RemovalReason }) => {
      const names = name === STANDARD_INPUT ? await readNames(cli) : undefined;
      await withReservedRoom(cli, async (db) => {
        const given = names ?? [name];
        const bar = createProgressBar(cli.stderr, given.length);
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
        // It does not find the entry, and says so.
        if (!names && removedBefore.length > 0) getRow(db, list, name);
        if (removedBefore.length > 0) {
          const count = counted(removedBefore.length, 'entry', 'entries');
          notice(cli, `removed already: ${count} (${named(removedBefore)})`);
        }
        const removals = ids.map((id) => ({
          list,
          id,
          removed: true,
          reason,
          alsoIn: LIST_KINDS.filter((other) => findRowByChatId(db, other, id)),
        }));
        const text = removals.flatMap(({ id, alsoIn }) => [
          `removed ${id} from ${list}: ${reason}`,
          ...alsoIn.map((other) => `${other} still has an entry with the ID ${id}`),
        ]);
        if (names || removals[0]) print(cli, names ? removals : removals[0], text.join('\n'));
        if (left.length === 0) return;
        const again = 'changed meanwhile and not removed; run the command again';
        if (!names) throw new VerbError('conflict', `${name} was ${again}`);
        notice(cli, `${named(left)} were ${again}`);
        cli.exitCode = EXIT_COULD_NOT_RUN;
      });
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
