/**
 * The command line of a moderator, who may not open the database. It opens the named files with the moderator's rights
 * and sends them, with the arguments, to `czujka --received`, which runs as the user of the service.
 * Usage: node moderate.ts COMMAND … -- ARGUMENTS            COMMAND starts the receiver
 */
import { spawn } from 'node:child_process';
import { createReadStream, openSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FILE_MAX_BYTES, findNameProblem } from '../proofs/read-proof-file.ts';
import { BadInputError, EXIT_COULD_NOT_RUN } from '../operator-error.ts';
import { findBeside } from './import/find-beside.ts';
import { FileFormatError, splitRecords } from './import/split-records.ts';
import { findPaths } from './console/named-paths.ts';
import { explainPathErrors } from './console/outcome.ts';

/** Bytes of a file in a line. */
const PART_BYTES = 768 * 1024;
/** An argument, or the value of an option. */
const NAMES_INPUT = /^(?:--[a-z-]+=)?-$/;

/** A file to send. */
interface SentFile {
  readonly from: string;
  /** Its path in the folder of the receiver. */
  readonly path: string;
  readonly bytes: number;
}

const given = process.argv.slice(2);
const split = given.indexOf('--');
const [receiver, args] = [given.slice(0, split), given.slice(split + 1)];
// Standard input may stay open after the receiver has ended.
process.exit(
  await sendVerb().catch(async (error: unknown) =>
    (await import('./run-cli.ts')).printFailure(process, error, args),
  ),
);

async function sendVerb(): Promise<number> {
  const files: SentFile[] = [];
  const names: Record<string, string> = {};
  const { inputs, out } = findPaths(args);
  for (const [at, value] of inputs.entries()) {
    const path = (names[value] = `${at}/${basename(value)}`);
    files.push({ from: value, path, bytes: await sizeOf(value) });
    if (args[0] === 'import') files.push(...(await listBeside(value, `${at}`)));
  }
  return out === undefined ? send({ args, names }, files) : receiveInto(out);
}

/** Writes standard output of the receiver into a new file, with the moderator's rights. @returns the exit code */
async function receiveInto(path: string): Promise<number> {
  const file = await explainPathErrors(path, () => openSync(path, 'wx', 0o600));
  const named: Readonly<Record<string, string>> = { [path]: '-', [`--out=${path}`]: '--out=-' };
  const code = await send({ args: args.map((arg) => named[arg] ?? arg) }, [], file);
  if (code !== 0) rmSync(path);
  return code;
}

/** @returns the exit code of the receiver */
async function send(command: object, files: readonly SentFile[], output: 'inherit' | number = 'inherit') {
  const [program = '', ...options] = receiver;
  const child = spawn(program, options, { stdio: ['pipe', output, 'inherit'] });
  const input = child.stdin as Writable;
  const ended = new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? EXIT_COULD_NOT_RUN));
  });
  const sendAll = async (): Promise<void> => {
    // A killed sender ends the pipe, too. Lines of a batch have an end each.
    const isInLines = args[0] !== 'batch' && args.some((arg) => NAMES_INPUT.test(arg));
    const lines = listLines(isInLines ? { ...command, input: 'lines' } : command, files);
    await pipeline(Readable.from(lines), input, { end: false });
    if (isInLines) await pipeline(process.stdin, listParts, input);
    else if (process.stdin.isTTY) input.end();
    else await pipeline(process.stdin, input);
  };
  // A receiver that refuses the command does not read to its end.
  await Promise.race([ended, sendAll().catch(() => input.destroy())]);
  return ended;
}

async function* listParts(stdin: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const part of stdin) yield toLine([part.toString('base64')]);
  yield toLine([]);
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

async function* listLines(command: object, files: readonly SentFile[]): AsyncGenerator<string> {
  for (const { from, path, bytes } of files) {
    yield toLine({ files: { [path]: '' } });
    if (bytes === 0) continue;
    const parts = createReadStream(from, { end: bytes - 1, highWaterMark: PART_BYTES });
    for await (const part of parts as AsyncIterable<Buffer>)
      yield toLine({ files: { [path]: part.toString('base64') } });
  }
  yield toLine(command);
}

async function sizeOf(path: string): Promise<number> {
  const problem = findNameProblem(path);
  if (problem !== undefined) throw new BadInputError(problem);
  const facts = await explainPathErrors(path, () => statSync(path));
  if (!facts.isFile()) throw new BadInputError(`${path} is not a file; - reads standard input`);
  return facts.size;
}

/** Lists the existing files that the records of an import name; the receiver reports missing ones, and wrong records. */
async function listBeside(path: string, folder: string): Promise<SentFile[]> {
  const names = new Set<string>();
  try {
    for await (const { bytes } of splitRecords(createReadStream(path) as AsyncIterable<Buffer>))
      for (const name of readProofNames(bytes.toString())) names.add(name);
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
  }
  const found = new Map<string, SentFile>();
  for (const name of names) {
    const beside = findBeside(path, name);
    const facts = beside && statSync(beside.source, { throwIfNoEntry: false });
    if (!beside || beside.inside === basename(path) || !facts?.isFile()) continue;
    const bytes = Math.min(facts.size, FILE_MAX_BYTES + 1);
    found.set(beside.inside, { from: beside.source, path: `${folder}/${beside.inside}`, bytes });
  }
  return [...found.values()];
}

/** Reads the file names of a record; the receiver validates it. */
function readProofNames(record: string): string[] {
  try {
    const { proofs } = JSON.parse(record) as { proofs?: { items?: readonly { file?: unknown }[] } };
    return (proofs?.items ?? []).flatMap(({ file }) => (typeof file === 'string' ? [file] : []));
  } catch {
    return [];
  }
}
