import { expect, it } from 'vitest';
import { BackOffError } from '#src/outbound/outbound-error.ts';
import { createOutageLog } from '#src/outbound/outage-log.ts';
import { collectLog } from '../../support/collect-log.ts';

it('logs once that a service fails, fails for another reason, and recovers', () => {
  const { log, lines } = collectLog();
  const outages = createOutageLog(log);
  outages.succeeded('a');
  for (const reason of ['no', 'no', 'not yet']) outages.failed('a', new Error(reason));
  outages.failed('a', new BackOffError('http://a', 'left alone for 7 s more'));
  outages.failed('b', new Error('no'));
  for (let times = 0; times < 2; times += 1) outages.succeeded('a');
  outages.failed('a', new Error('no'));
  expect(lines.map(({ msg, part, reason }) => [msg, part, reason])).toEqual([
    ['not well', 'a', 'no'],
    ['not well', 'a', 'not yet'],
    ['not well', 'b', 'no'],
    ['well again', 'a', undefined],
    ['not well', 'a', 'no'],
  ]);
});
