/** Verbs read named files and standard input up to a limit, so that no input fills the memory. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { REASON_MAX } from '../../entries/import-record.ts';
import { FILE_MAX_BYTES } from '../../proofs/read-proof-file.ts';
import { STANDARD_INPUT } from './options.ts';
import type { CliStreams } from './cli.ts';
import { BadInputError, withNamed } from './outcome.ts';

/** A character has at most 4 bytes. */
export const TEXT: Limit = { bytes: 4 * REASON_MAX, rule: `a text may have ${REASON_MAX} characters` };
const PICTURE: Limit = { bytes: FILE_MAX_BYTES, rule: 'a picture may have 20 MiB' };
export const NAMES: Limit = { bytes: 8 * 1024 * 1024, rule: 'give some 300,000 names at a time' };

interface Limit {
  readonly bytes: number;
  /** The limit in words. */
  readonly rule: string;
}

/** @param path of a file, or `-` for standard input. @throws {BadInputError} before more than the limit is in memory */
export async function readInput({ stdin }: CliStreams, path: string, limit: Limit): Promise<Buffer> {
  if (path === STANDARD_INPUT) return collect(stdin, limit);
  return withNamed(path, async () => {
    // Opening a named pipe would otherwise wait for its writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isDirectory()) throw new BadInputError(`${path} is a folder; a file is needed`);
    if (!facts.isFile()) throw new BadInputError(`${path} is no file; - reads standard input`);
    if (facts.size > limit.bytes) refuse(path, limit);
    return file.readFile();
  });
}

export async function readText(streams: CliStreams, path: string, limit = TEXT): Promise<string> {
  return (await readInput(streams, path, limit)).toString();
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

/** @param maxBytes of a line; a longer one is left out */
export async function* readLines(input: Readable, maxBytes: number): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  let isTooLong = false;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      if (!isTooLong) yield Buffer.concat([rest, chunk.subarray(from, end)]).toString();
      [rest, isTooLong, from] = [Buffer.alloc(0), false, end + 1];
    }
    isTooLong ||= rest.length + chunk.length - from > maxBytes;
    rest = isTooLong ? Buffer.alloc(0) : Buffer.concat([rest, chunk.subarray(from)]);
  }
  if (rest.length > 0) yield rest.toString();
}
