import pino from 'pino';
import { expect, it } from 'vitest';
import { BackOffError } from '#src/outbound/outbound-error.ts';
import { createOutageLog } from '#src/outbound/outage-log.ts';

it('logs once that a service fails, fails for another reason, and recovers', () => {
  const lines: unknown[] = [];
  const write = (line: string): void => {
    const { msg, part, reason } = JSON.parse(line) as Record<string, string>;
    lines.push([msg, part, reason]);
  };
  const outages = createOutageLog(pino({}, { write }));
  outages.succeeded('a');
  for (const reason of ['no', 'no', 'not yet']) outages.failed('a', new Error(reason));
  outages.failed('a', new BackOffError('http://a', 'left alone for 7 s more'));
  outages.failed('b', new Error('no'));
  for (let times = 0; times < 2; times += 1) outages.succeeded('a');
  outages.failed('a', new Error('no'));
  expect(lines).toEqual([
    ['not well', 'a', 'no'],
    ['not well', 'a', 'not yet'],
    ['not well', 'b', 'no'],
    ['well again', 'a', undefined],
    ['not well', 'a', 'no'],
  ]);
});
