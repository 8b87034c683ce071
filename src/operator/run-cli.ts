/** The operator's command line as a function. */
import { Command, CommanderError, Option } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { isBusy } from '../db/database.ts';
import { readEnvironment, type Environment } from '../environment.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { BadInputError, EXIT_BAD_INPUT, OperatorError } from '../operator-error.ts';
import type { VerbFailure } from './batch-protocol.ts';
import { printError, shortenInputs, type Cli, type CliStreams, type Sender } from './console/cli.ts';
import { finishWrite } from './console/operator-database.ts';
import { addExamples } from './examples.ts';
import { describePathProblem } from './console/outcome.ts';

type AddVerbs = (program: Command, cli: Cli) => void;

/** Only the file of the verb that was asked for is loaded, and all for help: most verbs take less time than loading. */
const FILES: readonly (readonly [verbs: string, load: () => Promise<AddVerbs>])[] = [
  ['import', async () => (await import('./import-command.ts')).addVerbs],
  ['export', async () => (await import('./export-command.ts')).addVerbs],
  ['entry', async () => (await import('./entry-command.ts')).addVerbs],
  ['appeal', async () => (await import('./appeal-command.ts')).addVerbs],
  ['proofs', async () => (await import('./proofs-command.ts')).addVerbs],
  ['lookalikes', async () => (await import('./look-alikes-command.ts')).addVerbs],
  ['batch', async () => (await import('./batch-command.ts')).addVerbs],
  ['donation', async () => (await import('./donation-command.ts')).addVerbs],
  ['incident', async () => (await import('./incident-command.ts')).addVerbs],
  ['migrate seed rebuild backup restore', async () => (await import('./database-commands.ts')).addVerbs],
  ['doctor settings', async () => (await import('./doctor-command.ts')).addVerbs],
];
/** Verbs that inspect the settings; every other verb needs valid ones. */
const INSPECTING = ['doctor', 'settings'];

/** Verbs of everyday work; help lists the others as rare. */
const DAILY = ['import', 'entry', 'proofs', 'appeal', 'lookalikes', 'donation', 'incident', 'doctor'];

/** A name for the history of entries. */
const ACTOR = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u;

const AS_JSON = 'print one JSON value, for machines; errors have the shape in src/operator/batch-protocol.ts';

interface RunOptions {
  /** The moderator that sent the command; undefined: the command runs with the rights of its process. */
  readonly sender?: Sender | undefined;
  /** The name of the operator where neither sudo nor `--by` says it. */
  readonly by?: string | undefined;
  /** Runs the verb with `--json`. */
  readonly asJson?: boolean;
  /** Called when the arguments are found to be well-formed. */
  readonly beforeVerb?: (verb: Command) => void;
  /** Makes the message of an error one for the caller. */
  readonly rename?: (message: string) => string;
}

/** @param environment replaces that of the process @returns the exit code; messages are written to the streams */
export async function runCli(
  argv: readonly string[],
  streams: CliStreams,
  environment?: Environment,
  { sender, by, asJson = hasJsonOption(argv), beforeVerb, rename }: RunOptions = {},
): Promise<number> {
  const program = new Command('czujka')
    .description('Runs the lists of Czujka. Works while the server runs.')
    .option('--by <name>', 'who acts, for the history of entries; sudo says it by itself')
    .showHelpAfterError('(see --help)')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      // The error has the same message.
      writeErr: (text) => asJson || printError(streams, text.trimEnd(), listInputs(argv)),
    })
    .exitOverride();
  using disposables = new DisposableStack();
  // The settings and options follow before the verb runs.
  const cli = { ...streams, environment, sender, asJson, disposables, exitCode: 0 } as Cli;
  try {
    const verb = argv[0] ?? '';
    const named = FILES.filter(([verbs]) => verbs.split(' ').includes(verb));
    program.hook('preAction', (_program, command) => {
      beforeVerb?.(command);
      if (INSPECTING.includes(verb)) return;
      const given = command.optsWithGlobals<{ yes?: boolean; by?: string }>();
      Object.assign(cli, {
        config: readConfig({}, environment),
        by: findActor(readEnvironment(environment), given.by ?? by, sender?.key),
        saysYes: given.yes ?? false,
      } satisfies Partial<Cli>);
    });
    for (const [, load] of named.length === 0 ? FILES : named) (await load())(program, cli);
    addCommonOptions(program);
    for (const command of program.commands)
      command.helpGroup(DAILY.includes(command.name()) ? 'Every day:' : 'Rarely:');
    addExamples(program);
    await program.parseAsync(argv, { from: 'user' });
    await finishWrite(cli);
    return cli.exitCode;
  } catch (error) {
    // Commander has written its message; help is no mistake.
    if (error instanceof CommanderError && (!asJson || error.exitCode === 0))
      return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
    return printFailure(streams, await finishWrite(cli, error), argv, asJson, rename);
  }
}

/** Prints an error as text, or with `--json` as an object. @returns the exit code */
export function printFailure(
  streams: Pick<CliStreams, 'stdout' | 'stderr'>,
  error: unknown,
  argv: readonly string[],
  asJson = hasJsonOption(argv),
  rename = (message: string) => message,
): number {
  const found = toOperatorError(error);
  const message = shortenInputs(rename(found.message), listInputs(argv));
  const failure: VerbFailure = { ...toVerbFailure(found), message };
  if (asJson) streams.stdout.write(`${escapeControls(JSON.stringify({ ok: false, error: failure }))}\n`);
  else printError(streams, message);
  return found.exitCode;
}

/** Arguments, and their parts after `=`. */
function listInputs(argv: readonly string[]): string[] {
  return argv.flatMap((value) => [value, value.slice(value.indexOf('=') + 1)]);
}

/** The account of sudo with its SSH key, which nothing overrides; else `--by` or CZUJKA_BY. @throws {BadInputError} */
function findActor(
  { SUDO_USER, CZUJKA_BY }: Environment,
  by: string | undefined,
  key: string | undefined,
): string | undefined {
  const sent = [SUDO_USER, key].filter(Boolean).join('/');
  if (sent !== '') return sent;
  const name = by || CZUJKA_BY || undefined;
  if (name !== undefined && !ACTOR.test(name))
    throw new BadInputError(
      `${by ? '--by' : 'CZUJKA_BY'} must be 1 to 64 characters, none of them a control character`,
    );
  return name;
}

/** Also for arguments that are wrong otherwise. */
function hasJsonOption(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

export function toVerbFailure({ code, message, facts }: OperatorError): VerbFailure {
  return { code, message, ...facts };
}

export function toOperatorError(error: unknown): OperatorError {
  // What failed first says more than the clean-up after it.
  if (error instanceof SuppressedError) return toOperatorError(error.suppressed);
  if (error instanceof OperatorError) return error;
  if (error instanceof CommanderError) {
    const isHelp = error.code === 'commander.help';
    return new BadInputError(isHelp ? 'a verb is missing; see --help' : error.message.replace('error: ', ''));
  }
  if (error instanceof ConfigError) return new OperatorError('failed', error.message);
  if (!isBusy(error)) return new OperatorError('failed', describe(error));
  return new OperatorError('busy', `${describe(error)}: another process writes; try again`);
}

/** Results of `batch` are JSON. Every verb that writes may ask about the clock. */
function addCommonOptions(program: Command): void {
  for (const command of program.commands) {
    addCommonOptions(command);
    // One of `entry` would take that of `entry add`.
    if (command.commands.length > 0) continue;
    if (command.name() !== 'batch') command.option('--json', AS_JSON);
    if (!command.options.some(({ long }) => long === '--yes'))
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
