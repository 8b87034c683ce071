import pino from 'pino';
import { expect, it } from 'vitest';
import { BackOffError } from '#src/outbound/outbound-error.ts';
import { createTroubles } from '#src/outbound/troubles.ts';

it('logs once that a service fails, fails for another reason, and recovers', () => {
  const lines: unknown[] = [];
  const write = (line: string): void => {
    const { msg, part, reason } = JSON.parse(line) as Record<string, string>;
    lines.push([msg, part, reason]);
  };
  const troubles = createTroubles(pino({}, { write }));
  troubles.succeeded('a');
  for (const reason of ['no', 'no', 'not yet']) troubles.failed('a', new Error(reason));
  troubles.failed('a', new BackOffError('http://a', 'left alone for 7 s more'));
  troubles.failed('b', new Error('no'));
  for (let times = 0; times < 2; times += 1) troubles.succeeded('a');
  troubles.failed('a', new Error('no'));
  expect(lines).toEqual([
    ['not well', 'a', 'no'],
    ['not well', 'a', 'not yet'],
    ['not well', 'b', 'no'],
    ['well again', 'a', undefined],
    ['not well', 'a', 'no'],
  ]);
});
