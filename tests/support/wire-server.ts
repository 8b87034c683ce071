/**
 * The web process as a client meets it: a real src/server.ts over the small lists, for tests that send it raw bytes. T1
 * to T17 are the requests that a bare Astro site answers otherwise than the contract wants; T12, the drain, is in
 * e2e/server-process, T13, the time-outs, in unit/http/http-server, and T16 in e2e/rate-limit-wire.
 */
import { beforeAll } from 'vitest';
import { startServer } from './server-process.ts';
import type { RunningServer } from './server-process.ts';
import { makeSmallLists } from './small-lists.ts';
import { dial } from './wire.ts';
import type { Answer } from './wire.ts';

export const BAD_REQUEST = 'Nieprawidłowe zapytanie.';
export const NOT_FOUND = 'Nie znaleziono';
export const WRONG_METHOD = 'Metoda niedozwolona';
export const HEAD_TOO_LARGE = 'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.';

interface WireServer {
  readonly port: number;
  readonly hasEnded: () => boolean;
  /** The one answer to one request; the request line and header lines are sent as they stand. */
  readonly ask: (requestLine: string, headerLines?: readonly string[], body?: string) => Promise<Answer>;
  readonly get: (target: string, headerLines?: readonly string[]) => Promise<Answer>;
  /** Another over the same lists. */
  readonly startAnother: () => Promise<RunningServer>;
}

/** For the tests of one file; it is there once they begin. */
export function serveSmallLists(): WireServer {
  let databasePath: string;
  let server: RunningServer;
  const startAnother = (): Promise<RunningServer> => startServer({ DATABASE_PATH: databasePath });
  beforeAll(async () => {
    databasePath = await makeSmallLists();
    server = await startAnother();
  });

  const ask: WireServer['ask'] = async (requestLine, headerLines = ['Host: a'], body = '') => {
    const wire = dial(server.port);
    wire.write(`${requestLine}\r\n${headerLines.map((line) => `${line}\r\n`).join('')}\r\n${body}`);
    const answer = await wire.answer(requestLine.startsWith('HEAD '));
    wire.hangUp();
    return answer;
  };
  return {
    get port() {
      return server.port;
    },
    hasEnded: () => server.hasEnded(),
    ask,
    get: (target, headerLines = []) => ask(`GET ${target} HTTP/1.1`, ['Host: a', ...headerLines]),
    startAnother,
  };
}
