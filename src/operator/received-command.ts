/**
 * A moderator's command: `czujka --received` runs as the user of the service and gets everything by standard input, so
 * that it opens no path for an account with fewer rights. The first line is a ReceivedHead in JSON; then come the bytes of
 * the files, one after the other, and then what the verb reads as standard input. scripts/moderate.ts sends this.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Environment } from '../config.ts';
import type { CliStreams } from './console/cli.ts';
import { listNamedPaths } from './console/named-paths.ts';
import { BadInputError, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN, withNamed } from './console/outcome.ts';
import { runCli } from './run-cli.ts';

const HEAD_MAX_BYTES = 4 * 1024 * 1024;
const FILES_MAX_BYTES = 1024 ** 3;
const VERBS = ['entry', 'proofs', 'import', 'lookalikes'];
const NEEDED =
  'the first line must be the arguments as a JSON array of texts, for example ["entry","show","R-1"]';

export const KEY_NAME = /^[\w.@-]{1,64}$/;
const argumentsSchema = z.array(z.string());
const headSchema = z.object({
  args: argumentsSchema,
  files: z.array(
    z.object({
      /** The path among the arguments; undefined for a file beside an import. */
      name: z.string().optional(),
      /** Its path in the command's temporary folder. */
      path: z.string().refine(isInside),
      bytes: z.int().min(0),
    }),
  ),
  /** The name of the SSH key. */
  key: z.string().regex(KEY_NAME).optional(),
});
export type ReceivedHead = z.output<typeof headSchema>;

/** @param environment as for runCli. @returns the exit code */
export async function runReceived(streams: CliStreams, environment?: Environment): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-received-'));
  try {
    const head = headSchema.safeParse(parse(await readLine(streams.stdin)));
    if (!head.success) throw new BadInputError(NEEDED);
    const { args, files, key } = head.data;
    checkVerb(args);
    const stored = new Map<string, string>();
    if (files.reduce((sum, { bytes }) => sum + bytes, 0) > FILES_MAX_BYTES)
      throw new BadInputError(`the files have more than ${FILES_MAX_BYTES} bytes`);
    for (const { name, path, bytes } of files) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      await withNamed(path, () => storeBytes(streams.stdin, target, bytes));
      if (name !== undefined) stored.set(name, target);
    }
    return await runCli(args, streams, environment, {
      key,
      beforeVerb: (verb) => {
        for (const { value, replace } of listNamedPaths(verb)) {
          const path = stored.get(value);
          if (path === undefined)
            throw new BadInputError(
              `${value} did not come with the command; - names standard input or output`,
            );
          replace(path);
        }
      },
    });
  } catch (error) {
    streams.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof BadInputError ? EXIT_BAD_INPUT : EXIT_COULD_NOT_RUN;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws {BadInputError} */
export function checkVerb(args: readonly string[]): void {
  const [verb = '--help', ...rest] = args;
  const asksForHelp = ['-h', '--help'].includes(verb) && rest.length === 0;
  if (!VERBS.includes(verb) && !asksForHelp)
    throw new BadInputError(`moderators run ${VERBS.join(', ')}; everything else is for root`);
}

/** @returns the arguments in a line of JSON. @throws {BadInputError} */
export function parseArguments(line: string): string[] {
  const result = argumentsSchema.safeParse(parse(line));
  if (!result.success) throw new BadInputError(NEEDED);
  return result.data;
}

/** Leaves what follows the line in the stream. @throws {BadInputError} */
export async function readLine(input: Readable, maxBytes = HEAD_MAX_BYTES): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = chunk.indexOf('\n');
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) throw new BadInputError(`the first line is longer than ${maxBytes} bytes`);
    if (end === -1) continue;
    input.unshift(chunk.subarray(end + 1));
    break;
  }
  return Buffer.concat(parts).toString();
}

async function storeBytes(input: Readable, path: string, bytes: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let left = bytes;
    if (left === 0) return;
    for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      // Before the end: a stream that has ended takes nothing back.
      if (left === 0) input.unshift(chunk.subarray(part.length));
      await file.write(part);
      if (left === 0) return;
    }
    throw new BadInputError('the command was cut off; nothing was changed');
  } finally {
    await file.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the parts of a relative path lead nowhere else. */
function isInside(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !part.includes('\0'));
}
