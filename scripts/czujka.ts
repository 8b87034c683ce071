/** The operator's command line: `npm run czujka -- <verb>`. */
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { addExamples } from './operator/examples.ts';
import {
  BadInputError,
  describePathProblem,
  EXIT_BAD_INPUT,
  EXIT_COULD_NOT_RUN,
} from './operator/outcome.ts';

interface VerbFile {
  readonly verbs: readonly string[];
  readonly load: () => Promise<(program: Command, config: Config) => void>;
}

/** Only the file of the verb that was asked for is loaded, and all for help: most verbs take less time than loading. */
const FILES: readonly VerbFile[] = [
  {
    verbs: ['import', 'export'],
    load: async () => (await import('./operator/transfer-commands.ts')).addTransferCommands,
  },
  { verbs: ['entry'], load: async () => (await import('./operator/entry-command.ts')).addEntryCommand },
  { verbs: ['proofs'], load: async () => (await import('./operator/proofs-command.ts')).addProofsCommand },
  {
    verbs: ['lookalikes'],
    load: async () => (await import('./operator/look-alikes-command.ts')).addLookAlikesCommand,
  },
  {
    verbs: ['donation'],
    load: async () => (await import('./operator/donation-command.ts')).addDonationCommand,
  },
  {
    verbs: ['incident'],
    load: async () => (await import('./operator/incident-command.ts')).addIncidentCommand,
  },
  {
    verbs: ['migrate', 'seed', 'rebuild', 'backup', 'restore'],
    load: async () => (await import('./operator/database-commands.ts')).addDatabaseCommands,
  },
];
/** They look at the settings themselves; every other verb needs right ones. */
const LOOKING = ['doctor', 'settings'];

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
  const verb = process.argv[2] ?? '';
  const isLooking = LOOKING.includes(verb);
  const files = FILES.filter(({ verbs }) => verbs.includes(verb));
  if (files.length === 0) (await import('./operator/doctor-command.ts')).addDoctorCommands(program);
  if (!isLooking) {
    const config = readConfig();
    for (const { load } of files.length === 0 ? FILES : files) (await load())(program, config);
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
