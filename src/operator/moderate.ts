/**
 * The command line of a moderator, who may not open the database. It opens the named files with the moderator's rights
 * and sends them, with the arguments, to `czujka --received`, which runs as the user of the service.
 * Usage: node moderate.ts COMMAND … -- ARGUMENTS            COMMAND starts the receiver
 *        node moderate.ts --key NAME COMMAND … --           reads the arguments from the first line of standard input
 */
import { spawn } from 'node:child_process';
import { createReadStream, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FILE_MAX_BYTES } from '../proofs/read-proof-file.ts';
import { STANDARD_INPUT } from './console/options.ts';
import { InputError, splitRecords } from './import/split-records.ts';
import { findPaths } from './console/named-paths.ts';
import { BadInputError, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN, withNamed } from './console/outcome.ts';
import { KEY_NAME, parseArguments, readLine, type ReceivedHead } from './received-command.ts';

/** Twice the longest reason, with each character escaped. */
const ARGUMENTS_MAX_BYTES = 512 * 1024;
/** A file to send, with its local path. */
type SentFile = ReceivedHead['files'][number] & { readonly from: string };

const given = process.argv.slice(2);
const key = given[0] === '--key' ? given.splice(0, 2)[1] : undefined;
const split = given.indexOf('--');
// Standard input may stay open after the receiver has ended.
process.exit(await run());

async function run(): Promise<number> {
  const receiver = given.slice(0, split);
  try {
    if (key === undefined) return await sendVerb(receiver, given.slice(split + 1));
    if (!KEY_NAME.test(key))
      throw new BadInputError('czujka-ssh needs the name of the key: letters, digits and . _ @ -');
    const args = parseArguments(await readLine(process.stdin, ARGUMENTS_MAX_BYTES));
    return await send(receiver, { key, args, files: [] }, []);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof BadInputError ? EXIT_BAD_INPUT : EXIT_COULD_NOT_RUN;
  }
}

async function sendVerb(receiver: readonly string[], args: string[]): Promise<number> {
  const files: SentFile[] = [];
  const { inputs, out } = findPaths(args);
  for (const [at, value] of inputs.entries()) {
    files.push({ name: value, from: value, path: `${at}/${basename(value)}`, bytes: await sizeOf(value) });
    if (args[0] === 'import') files.push(...(await listBeside(value, `${at}`)));
  }
  const head = { args, files: files.map(({ from: _, ...file }) => file) };
  return out === undefined ? send(receiver, head, files) : receiveInto(out, receiver, head);
}

/** Writes standard output of the receiver into a new file, with the moderator's rights. @returns the exit code */
async function receiveInto(path: string, receiver: readonly string[], head: ReceivedHead): Promise<number> {
  const file = await withNamed(path, () => openSync(path, 'wx', 0o600));
  const named: Readonly<Record<string, string>> = { [path]: '-', [`--out=${path}`]: '--out=-' };
  const args = head.args.map((arg) => named[arg] ?? arg);
  const code = await send(receiver, { ...head, args }, [], file);
  if (code !== 0) rmSync(path);
  return code;
}

/** @returns the exit code of the receiver */
async function send(
  [program = '', ...args]: readonly string[],
  head: ReceivedHead,
  files: readonly SentFile[],
  output: 'inherit' | number = 'inherit',
) {
  const child = spawn(program, args, { stdio: ['pipe', output, 'inherit'] });
  const input = child.stdin as Writable;
  const ended = new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? EXIT_COULD_NOT_RUN));
  });
  // A receiver that refuses the command does not read to its end.
  await Promise.race([ended, sendAll(input, head, files).catch(() => input.destroy())]);
  return ended;
}

async function sendAll(output: Writable, head: ReceivedHead, files: readonly SentFile[]): Promise<void> {
  output.write(`${JSON.stringify(head)}\n`);
  for (const { from, bytes } of files)
    if (bytes > 0) await pipeline(createReadStream(from, { end: bytes - 1 }), output, { end: false });
  if (process.stdin.isTTY && !head.args.includes(STANDARD_INPUT)) output.end();
  else await pipeline(process.stdin, output);
}

async function sizeOf(path: string): Promise<number> {
  const facts = await withNamed(path, () => statSync(path));
  if (!facts.isFile()) throw new BadInputError(`${path} is not a file; - reads standard input`);
  return facts.size;
}

/** Lists the existing files that the records of an import name; the receiver reports missing ones. */
async function listBeside(path: string, folder: string): Promise<SentFile[]> {
  const from = realpathSync(dirname(path));
  const found = new Map<string, SentFile>();
  for (const name of await listProofNames(path)) {
    const inside = relative(from, resolve(from, name));
    const facts = statSync(join(from, inside), { throwIfNoEntry: false });
    if (isAbsolute(name) || inside === basename(path) || !facts?.isFile()) continue;
    if (!realpathSync(join(from, inside)).startsWith(join(from, '/'))) continue;
    const bytes = Math.min(facts.size, FILE_MAX_BYTES + 1);
    found.set(inside, { from: join(from, inside), path: `${folder}/${inside}`, bytes });
  }
  return [...found.values()];
}

async function listProofNames(path: string): Promise<Set<string>> {
  const names = new Set<string>();
  try {
    for await (const { bytes } of splitRecords(createReadStream(path) as AsyncIterable<Buffer>)) {
      for (const name of readProofNames(bytes.toString())) names.add(name);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return names;
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
