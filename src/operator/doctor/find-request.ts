/** Finds a failed request in the log by the number that its client received. */
import type { Cli } from '../console/cli.ts';
import { readLine } from '../console/read-input.ts';
import { BadInputError } from '../../operator-error.ts';

const LINE_MAX_BYTES = 1024 * 1024;

type Logged = Readonly<Record<'time' | 'route' | 'msg', string> & { err?: { readonly stack: string } }>;

/** @throws {BadInputError} when standard input is no log, or has no such request */
export async function findRequest({ stdin }: Cli, requestId: string): Promise<string> {
  const howTo = `as root: journalctl -u czujka -o cat | czujka doctor --request ${requestId}`;
  if (stdin.isTTY) throw new BadInputError(`the log is read from standard input; ${howTo}`);
  const found: string[] = [];
  for (let bytes; (bytes = await readLine(stdin, LINE_MAX_BYTES)) !== undefined;) {
    const line = bytes.toString();
    // `docker compose logs` writes a name before each line.
    if (!line.includes(`"requestId":"${requestId}"`)) continue;
    const { time, route, msg, err } = JSON.parse(line.slice(line.indexOf('{'))) as Logged;
    found.push(`${time} ${route}: ${msg}`, ...(err ? [err.stack] : []));
  }
  if (found.length === 0) throw new BadInputError(`the log has no failed request ${requestId}; ${howTo}`);
  return found.join('\n');
}
