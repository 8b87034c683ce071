/** The operator's command line as a function. */
import { Command, CommanderError, Option } from 'commander';
import { ConfigError, readConfig, readEnvironment, type Config, type Environment } from '../config.ts';
import { complain, type Cli, type CliStreams } from './console/cli.ts';
import { addExamples } from './examples.ts';
import { findActor } from './console/actor.ts';
import { describePathProblem, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN, VerbError } from './console/outcome.ts';

interface VerbFile {
  readonly verbs: readonly string[];
  readonly load: () => Promise<(program: Command, cli: Cli) => void>;
}

/** Only the file of the verb that was asked for is loaded, and all for help: most verbs take less time than loading. */
const FILES: readonly VerbFile[] = [
  { verbs: ['import'], load: async () => (await import('./import-command.ts')).addImportCommand },
  { verbs: ['export'], load: async () => (await import('./export-command.ts')).addExportCommand },
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

/** Verbs of everyday work; help lists the others as rare. */
const DAILY = ['import', 'entry', 'proofs', 'lookalikes', 'donation', 'incident', 'doctor'];

interface RunOptions {
  /** Name of the SSH key that sent the command. */
  readonly key?: string | undefined;
  /** Called when the arguments are found to be well-formed. */
  readonly beforeVerb?: (verb: Command) => void;
}

/**
 * Runs one verb.
 * @param argv the verb and its arguments
 * @param environment replaces the environment of the process
 * @returns the exit code (outcome.ts); messages are written to the streams
 */
export async function runCli(
  argv: readonly string[],
  streams: CliStreams,
  environment?: Environment,
  { key, beforeVerb }: RunOptions = {},
): Promise<number> {
  const given = argv.flatMap((value) => [value, value.slice(value.indexOf('=') + 1)]);
  const program = new Command('czujka')
    .description('Runs the lists of Czujka. Works while the server runs.')
    .option('--by <name>', 'who acts, for the history of entries; sudo says it by itself')
    .showHelpAfterError('(see --help)')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => complain(streams, text.trimEnd(), given),
    })
    .exitOverride();
  try {
    const verb = argv[0] ?? '';
    const named = FILES.filter(({ verbs }) => verbs.includes(verb));
    const cli = {
      ...streams,
      environment,
      get by() {
        return findActor(readEnvironment(environment), program.opts<{ by?: string }>().by, key);
      },
      exitCode: 0,
    } as Cli & { config: Config; saysYes: boolean };
    program.hook('preAction', (_program, command) => {
      beforeVerb?.(command);
      cli.saysYes = command.opts<{ yes?: boolean }>().yes ?? false;
      if (!INSPECTING.includes(verb)) cli.config = readConfig({}, environment);
    });
    for (const { load } of named.length === 0 ? FILES : named) (await load())(program, cli);
    acceptYes(program);
    for (const command of program.commands)
      command.helpGroup(DAILY.includes(command.name()) ? 'Every day:' : 'Rarely:');
    addExamples(program);
    await program.parseAsync(argv, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander has written its message; help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
    const isSaid = error instanceof VerbError || error instanceof ConfigError;
    complain(streams, isSaid ? error.message : describe(error), given);
    return error instanceof VerbError ? error.exitCode : EXIT_COULD_NOT_RUN;
  }
}

/** Every verb that writes may ask about the clock. */
function acceptYes(program: Command): void {
  for (const command of program.commands) {
    acceptYes(command);
    // One of `entry` would take that of `entry add`.
    if (command.commands.length === 0 && !command.options.some(({ long }) => long === '--yes'))
      command.addOption(new Option('--yes', 'go on without a question').hideHelp());
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const problem = describePathProblem(error);
  if (problem !== undefined && 'path' in error) return `could not run: ${String(error.path)} ${problem}`;
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return `could not run: ${error.message}${error.message.includes(cause) ? '' : ` (${cause})`}`;
}
