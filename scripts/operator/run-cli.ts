/** The operator's command line as a function. */
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig } from '#src/config.ts';
import type { Environment } from '#src/config.ts';
import type { Cli, CliStreams } from './cli.ts';
import { addExamples } from './examples.ts';
import { BadInputError, describePathProblem, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN } from './outcome.ts';

interface VerbFile {
  readonly verbs: readonly string[];
  readonly load: () => Promise<(program: Command, cli: Cli) => void>;
}

/** Only the file of the verb that was asked for is loaded, and all for help: most verbs take less time than loading. */
const FILES: readonly VerbFile[] = [
  {
    verbs: ['import', 'export'],
    load: async () => (await import('./transfer-commands.ts')).addTransferCommands,
  },
  { verbs: ['entry'], load: async () => (await import('./entry-command.ts')).addEntryCommand },
  { verbs: ['proofs'], load: async () => (await import('./proofs-command.ts')).addProofsCommand },
  {
    verbs: ['lookalikes'],
    load: async () => (await import('./look-alikes-command.ts')).addLookAlikesCommand,
  },
  { verbs: ['donation'], load: async () => (await import('./donation-command.ts')).addDonationCommand },
  { verbs: ['incident'], load: async () => (await import('./incident-command.ts')).addIncidentCommand },
  {
    verbs: ['migrate', 'seed', 'rebuild', 'backup', 'restore'],
    load: async () => (await import('./database-commands.ts')).addDatabaseCommands,
  },
  {
    verbs: ['doctor', 'settings'],
    load: async () => (await import('./doctor-command.ts')).addDoctorCommands,
  },
];
/** Verbs that inspect the settings; every other verb needs valid ones. */
const INSPECTING = ['doctor', 'settings'];

/**
 * Runs one verb.
 * @param argv the verb and its arguments
 * @param environment variables that settings come from, in place of those of the process
 * @returns the exit code (outcome.ts); messages are written to the streams
 */
export async function runCli(
  argv: readonly string[],
  streams: CliStreams,
  environment?: Environment,
): Promise<number> {
  const program = new Command('czujka')
    .description('Runs the lists of Czujka. Works while the server runs.')
    .showHelpAfterError('(see --help)')
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    })
    .exitOverride();
  try {
    const verb = argv[0] ?? '';
    const named = FILES.filter(({ verbs }) => verbs.includes(verb));
    const config = INSPECTING.includes(verb) ? undefined : readConfig({}, environment);
    const cli = { ...streams, config, environment, exitCode: 0 } as Cli;
    for (const { load } of named.length === 0 ? FILES : named) (await load())(program, cli);
    addExamples(program);
    await program.parseAsync(argv, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander has written its message; help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
    const isTheirs = error instanceof BadInputError;
    const message = isTheirs || error instanceof ConfigError ? error.message : describe(error);
    streams.stderr.write(`${message}\n`);
    return isTheirs ? EXIT_BAD_INPUT : EXIT_COULD_NOT_RUN;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const problem = describePathProblem(error);
  if (problem !== undefined && 'path' in error) return `could not run: ${String(error.path)} ${problem}`;
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return `could not run: ${error.message}${error.message.includes(cause) ? '' : ` (${cause})`}`;
}
