/**
 * The verb `batch`: a program sends verbs as lines of JSON and gets a line for each. One line is in memory at a time. The
 * lock of install.sh and the database are taken for a line and released before its answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import { lockForProcess } from '../db/process-lock.ts';
import { readEnvironment } from '../environment.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { BadInputError, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN, OperatorError } from '../operator-error.ts';
import {
  answerSchema,
  FILES_MAX_BYTES,
  LINE_MAX_BYTES,
  parseLine,
  requestSchema,
  type Answer,
  type Request,
} from './batch-protocol.ts';
import { printError, type Cli } from './console/cli.ts';
import { checkInstalledVersion } from './console/installed-version.ts';
import { readLine } from './console/read-input.ts';
import { listenForStop } from './console/stop-signals.ts';
import { MODERATOR_VERBS } from './received-command.ts';
import { ReceivedFiles } from './received-files.ts';
import { runCli, toVerbFailure, toOperatorError } from './run-cli.ts';

/** Batches of one moderator. */
const AT_ONCE = 2;
const ROOT_VERBS = [...MODERATOR_VERBS, 'donation', 'incident', 'doctor', 'settings'];
/** Standard input is the batch, and results are JSON. */
const REFUSED = /^(?:-|-h|--help|(?:--[a-z-]+=)-|--out(?:=.*)?)$/s;

/** A line, and the files of a request, leave the memory before the verb runs, which may need as much for pictures. */
interface Received {
  line: Buffer | 'too long' | undefined;
}

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('batch')
    .description(
      'run verbs that a program sends as JSON, one a line of standard input; each gets a line of standard output',
    )
    .addHelpText('after', () => describeProtocol())
    .action(async () => {
      try {
        limitSender(cli);
        using stop = listenForStop();
        await answerLines(cli, stop.signal);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        await send(cli, { tag: null, ok: false, error: toVerbFailure(error) });
        printError(cli, error.message);
        cli.exitCode = error.exitCode;
      }
    });
}

async function answerLines(cli: Cli, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', () => cli.stdin.destroy());
  const databases = new Set<string>();
  for (let number = 1; !signal.aborted; number += 1) {
    const received: Received = {
      line: await readLine(cli.stdin, LINE_MAX_BYTES).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      }),
    };
    if (received.line === undefined || signal.aborted) return;
    const answer = await answerLine(cli, received, number, databases);
    await send(cli, answer);
    // Signals wait while lines that are here already are answered.
    await setImmediate();
    if (answer.ok || !answer.error.restart) continue;
    printError(cli, answer.error.message);
    cli.exitCode = EXIT_COULD_NOT_RUN;
    return;
  }
}

async function answerLine(
  cli: Cli,
  received: Received,
  number: number,
  databases: Set<string>,
): Promise<Answer> {
  let request: Request | undefined;
  try {
    request = parseRequest(received);
    checkInstalledVersion(readEnvironment(cli.environment)['CZUJKA_INSTALLED']);
    refuseOtherDatabase(cli, databases);
    const answer = await runRequest(cli, request);
    // What was written into a deleted file is lost.
    refuseOtherDatabase(cli, databases);
    return answer;
  } catch (error) {
    const failure = toVerbFailure(toOperatorError(error));
    return request
      ? { tag: request.tag, ok: false, error: failure }
      : { tag: null, ok: false, error: { ...failure, line: number } };
  }
}

/** @throws {BadInputError} */
function parseRequest(received: Received): Request {
  const value = parseLine(received.line);
  received.line = undefined;
  if (value === undefined) throw new BadInputError('the line is no JSON in UTF-8');
  const { data, error } = requestSchema.safeParse(value);
  if (data) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'the line'}: ${message}`);
  throw new BadInputError(problems.join('; '));
}

/** @throws {OperatorError} */
async function runRequest(cli: Cli, request: Request): Promise<Answer> {
  const { tag, args } = request;
  const verbs = cli.sender ? MODERATOR_VERBS : ROOT_VERBS;
  if (!verbs.includes(args[0] ?? '')) throw new BadInputError(`this batch runs ${verbs.join(', ')}`);
  const refused = args.find((arg) => REFUSED.test(arg));
  if (refused !== undefined) throw new BadInputError(`${refused} has no meaning in a batch`);
  using files = new ReceivedFiles(FILES_MAX_BYTES);
  await files.add(request.files);
  request.files = {};
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  const [stdout, stderr] = [text(streams.stdout), text(streams.stderr)];
  const exitCode = await runCli(args, streams, cli.environment, {
    sender: cli.sender,
    by: cli.by,
    asJson: true,
    beforeVerb: (verb) => files.giveTo(verb),
  });
  streams.stdout.end();
  streams.stderr.end();
  const printed = files.rename(await stdout);
  const notes = files
    .rename(await stderr)
    .split('\n')
    .flatMap((said) => (said === '' ? [] : [said.replace(/^note: /, '')]));
  const result: unknown = printed === '' ? null : JSON.parse(printed);
  if (exitCode === 0) return { tag, ok: true, result, notes };
  const failure = answerSchema.options[1].safeParse({ tag, ...(result as object) }).data?.error ?? {
    code: exitCode === EXIT_BAD_INPUT ? 'invalid' : 'failed',
    message: notes.at(-1) ?? 'the verb did not do all: see its result',
    result,
  };
  return { tag, ok: false, error: { ...failure, ...(notes.length > 0 && { notes }) } };
}

/** @throws {OperatorError} when there is no database, or another one than for the lines before */
function refuseOtherDatabase({ config: { databasePath } }: Cli, seen: Set<string>): void {
  const facts = statSync(databasePath, { throwIfNoEntry: false });
  // A new file may get the inode of a deleted one.
  if (facts) seen.add([facts.dev, facts.ino, facts.birthtimeMs].join());
  if (seen.size > 1 || (!facts && seen.size > 0))
    throw new OperatorError('busy', `${databasePath} was replaced: start the batch again`, { restart: true });
  if (!facts) throw new OperatorError('failed', `there is no database ${databasePath}`);
}

/** Counts this batch until it ends. @throws {OperatorError} when the moderator runs as many batches already */
function limitSender({ sender, by = '', config: { dataFolder }, disposables }: Cli): void {
  if (!sender || !existsSync(dataFolder)) return;
  const name = createHash('sha256').update(by).digest('hex').slice(0, 16);
  for (let place = 1; place <= AT_ONCE; place += 1) {
    const file = join(dataFolder, `batch-${name}-${place}.lock`);
    const release = lockForProcess(file);
    if (!release) continue;
    disposables.defer(release);
    disposables.defer(() => rmSync(file, { force: true }));
    return;
  }
  throw new OperatorError('busy', `${AT_ONCE} batches of ${by} run already`);
}

async function send({ stdout }: Cli, answer: Answer): Promise<void> {
  if (!stdout.write(`${escapeControls(JSON.stringify(answer))}\n`)) await once(stdout, 'drain');
}

function describeProtocol(): string {
  const [success, failure] = answerSchema.options;
  const describe = (shape: Readonly<Record<string, { readonly description?: string | undefined }>>) =>
    Object.entries(shape).flatMap(([name, { description }]) =>
      description === undefined ? [] : [`  ${name}: ${description}`],
    );
  return [
    '\nA line of standard input:',
    ...describe(requestSchema.shape),
    `\nA line of standard output, in the same order, with "ok": true:`,
    ...describe(success.shape),
    '\nor with "ok": false and the object "error":',
    ...describe(failure.shape.error.shape),
    '\nThe shapes stand in src/operator/batch-protocol.ts.',
  ].join('\n');
}
