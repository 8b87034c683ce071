/**
 * A moderator's command: `czujka --received` runs as the user of the service and gets everything by standard input, so
 * that it opens no path for an account with fewer rights. It reads lines of JSON: the name of the SSH key, from
 * czujka-ssh; files in parts, from moderate.ts; and the arguments, alone as an array or with files as in a batch. What
 * follows is standard input of the verb. moderate.ts sends it in lines and says its end: a killed sender ends it too.
 */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Environment } from '../environment.ts';
import { BadInputError } from '../operator-error.ts';
import { LINE_MAX_BYTES, parseLine, requestSchema } from './batch-protocol.ts';
import type { CliStreams } from './console/cli.ts';
import { readLine } from './console/read-input.ts';
import { ReceivedFiles } from './received-files.ts';
import { printFailure, runCli } from './run-cli.ts';

const FILES_MAX_BYTES = 1024 ** 3;
/** The verbs that moderators may run, also in a batch. */
export const MODERATOR_VERBS = ['entry', 'proofs', 'appeal', 'import', 'lookalikes'];
const NEEDED =
  'the first line must be the arguments as a JSON array of texts, for example ["entry","show","R-1"]';

const { args, files } = requestSchema.shape;
const lineSchema = z.preprocess(
  (line) => (Array.isArray(line) ? { args: line } : line),
  z.strictObject({
    key: z
      .string()
      .regex(/^[\w.@-]{1,64}$/)
      .optional(),
    args: args.optional(),
    files,
    /** Names of files by the arguments that name them otherwise. */
    names: z.record(z.string(), z.string()).optional(),
    /** Standard input follows in lines of `partsSchema`; otherwise as it is. */
    input: z.literal('lines').optional(),
  }),
);
/** An array without a part is the end. */
const partsSchema = z.array(z.base64());

/** @param environment as for runCli. @returns the exit code */
export async function runReceived(streams: CliStreams, environment?: Environment): Promise<number> {
  using received = new ReceivedFiles(FILES_MAX_BYTES);
  let given: readonly string[] = [];
  try {
    let key: string | undefined;
    for (;;) {
      const line = await readLine(streams.stdin, LINE_MAX_BYTES);
      const { data } = lineSchema.safeParse(parseLine(line));
      // Only the first line has a key: what a client sends over SSH follows it.
      if (!data || (data.key !== undefined && key !== undefined)) throw new BadInputError(NEEDED);
      key ??= data.key;
      await received.add(data.files);
      if (!data.args) continue;
      checkVerb((given = data.args));
      const stdin = data.input ? Readable.from(readParts(streams.stdin)) : streams.stdin;
      return await runCli(given, { ...streams, stdin }, environment, {
        sender: { key },
        beforeVerb: (verb) => received.giveTo(verb, data.names),
        rename: (message) => received.rename(message),
      });
    }
  } catch (error) {
    return printFailure(streams, error, given);
  }
}

/** @throws {BadInputError} when its end was not said */
async function* readParts(input: Readable): AsyncGenerator<Buffer> {
  for (;;) {
    const { data } = partsSchema.safeParse(parseLine(await readLine(input, LINE_MAX_BYTES)));
    if (!data) throw new BadInputError('the sender ended before the end of standard input');
    if (data.length === 0) return;
    for (const part of data) yield Buffer.from(part, 'base64');
  }
}

/** @throws {BadInputError} */
function checkVerb(args: readonly string[]): void {
  const [verb = '--help', ...rest] = args;
  const verbs = [...MODERATOR_VERBS, 'batch'];
  const asksForHelp = ['-h', '--help'].includes(verb) && rest.length === 0;
  if (!verbs.includes(verb) && !asksForHelp)
    throw new BadInputError(`moderators run ${verbs.join(', ')}; everything else is for root`);
}
