/** The operator's command line: `npm run czujka -- <verb>`. */
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig } from '#src/config.ts';
import { addDatabaseCommands } from './operator/database-commands.ts';
import { addDoctorCommands, NAMES as LOOKING } from './operator/doctor-command.ts';
import { addDonationCommand } from './operator/donation-command.ts';
import { addEntryCommand } from './operator/entry-command.ts';
import { addExamples } from './operator/examples.ts';
import { addIncidentCommand } from './operator/incident-command.ts';
import { addLookAlikesCommand } from './operator/look-alikes-command.ts';
import { addProofsCommand } from './operator/proofs-command.ts';
import { addTransferCommands } from './operator/transfer-commands.ts';
import {
  BadInputError,
  describePathProblem,
  EXIT_BAD_INPUT,
  EXIT_COULD_NOT_RUN,
} from './operator/outcome.ts';

const program = new Command('czujka')
  .description('Runs the lists of Czujka. Works while the server runs.')
  .showHelpAfterError('(see --help)')
  .exitOverride();

// Whoever reads what is printed may stop when he has enough (`export … | head`); that is no mistake.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  addDoctorCommands(program);
  // Those two look at the settings themselves; every other verb needs right ones.
  if (!LOOKING.includes(process.argv[2] ?? '')) {
    const config = readConfig();
    addTransferCommands(program, config);
    addEntryCommand(program, config);
    addProofsCommand(program, config);
    addLookAlikesCommand(program, config);
    addDonationCommand(program, config);
    addIncidentCommand(program, config);
    addDatabaseCommands(program, config);
  }
  addExamples(program);
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has written its message; asking for help is no mistake.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
  } else if (error instanceof BadInputError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_BAD_INPUT;
  } else {
    process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
    process.exitCode = EXIT_COULD_NOT_RUN;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const problem = describePathProblem(error);
  if (problem !== undefined && 'path' in error) return `could not run: ${String(error.path)} ${problem}`;
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return `could not run: ${error.message}${error.message.includes(cause) ? '' : ` (${cause})`}`;
}
