/** Verbs read named files and standard input up to a limit, so that no input fills the memory. */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { REASON_MAX } from '../../entries/import-record.ts';
import { FILE_MAX_BYTES } from '../../proofs/read-proof-file.ts';
import { BadInputError } from '../../operator-error.ts';
import { STANDARD_INPUT } from './options.ts';
import type { CliStreams } from './cli.ts';
import { explainPathErrors } from './outcome.ts';

/** A character has at most 4 bytes. */
const TEXT: Limit = { bytes: 4 * REASON_MAX, rule: `a text may have ${REASON_MAX} characters` };
const PICTURE: Limit = { bytes: FILE_MAX_BYTES, rule: 'a picture may have 20 MiB' };
export const NAMES: Limit = { bytes: 8 * 1024 * 1024, rule: 'give some 300,000 names at a time' };

export const NOT_UTF8 = 'is not valid UTF-8; save the file as UTF-8';

interface Limit {
  readonly bytes: number;
  /** The limit in words. */
  readonly rule: string;
}

/** @param path of a file, or `-` for standard input. @throws {BadInputError} before more than the limit is in memory */
async function readInput({ stdin }: CliStreams, path: string, limit: Limit): Promise<Buffer> {
  if (path === STANDARD_INPUT) return collect(stdin, limit);
  return explainPathErrors(path, async () => {
    // Opening a named pipe would otherwise wait for its writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isDirectory()) throw new BadInputError(`${path} is a folder; a file is needed`);
    if (!facts.isFile()) throw new BadInputError(`${path} is no file; - reads standard input`);
    if (facts.size > limit.bytes) refuse(path, limit);
    return file.readFile();
  });
}

/** Leaves out a byte order mark. @throws {BadInputError} for another encoding than UTF-8 */
export async function readText(streams: CliStreams, path: string, limit = TEXT): Promise<string> {
  const bytes = await readInput(streams, path, limit);
  if (!isUtf8(bytes))
    throw new BadInputError(`${path === STANDARD_INPUT ? 'standard input' : path} ${NOT_UTF8}`);
  return new TextDecoder().decode(bytes);
}

/** @returns the picture on standard input by its name, where one of the names is `-` */
export async function readStandardInput(
  streams: CliStreams,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (!names.includes(STANDARD_INPUT)) return new Map();
  return new Map([[STANDARD_INPUT, await readInput(streams, STANDARD_INPUT, PICTURE)]]);
}

function refuse(name: string, { bytes, rule }: Limit): never {
  throw new BadInputError(`${name} has more than ${bytes} bytes; ${rule}`);
}

async function collect(input: Readable, limit: Limit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit.bytes) refuse('standard input', limit);
  }
  return Buffer.concat(chunks);
}

/** Leaves the next lines in the stream, and keeps no line over `maxBytes`. @returns undefined at the end of the input */
export async function readLine(input: Readable, maxBytes: number): Promise<Buffer | 'too long' | undefined> {
  const parts: Buffer[] = [];
  let [size, isThere] = [0, false];
  for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    isThere ||= chunk.length > 0;
    const end = chunk.indexOf('\n');
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts.length = 0;
    if (end === -1) continue;
    // Before the end: a stream that has ended takes nothing back.
    input.unshift(chunk.subarray(end + 1));
    break;
  }
  if (!isThere) return undefined;
  return size > maxBytes ? 'too long' : Buffer.concat(parts);
}
