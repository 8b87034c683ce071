/** Request headers whose value is a list. The client chooses its length, and splitting costs the event loop time. */
import type { IncomingMessage } from 'node:http';

/** Characters; browsers send at most half of it. 15,400 commas cost up to 8 ms. */
export const LIST_HEADER_MAX_LENGTH = 300;

/** @returns undefined also for a longer header, which counts as absent */
export function readListHeader(
  { headers }: IncomingMessage,
  name: 'accept-encoding' | 'if-none-match',
): string | undefined {
  const value = headers[name];
  return value !== undefined && value.length > LIST_HEADER_MAX_LENGTH ? undefined : value;
}
