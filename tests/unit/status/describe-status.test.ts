import { expect, it } from 'vitest';
import { describeStatus } from '#src/components/status/describe-status.ts';
import { STATUS } from '#src/components/status/status-texts.ts';
import {
  overallHealth,
  SLOW_FROM_MS,
  type OverallHealth,
  type PartHealth,
  type PartId,
} from '#src/status/status.ts';

it.each<[string, OverallHealth, Partial<Record<PartId, PartHealth>>, string, string | undefined]>([
  ['nothing is connected', 'none', { database: 'none' }, STATUS.overall.none, undefined],
  ['all works', 'good', { database: 'good', litecoin: 'good' }, STATUS.overall.good, undefined],
  ['only the lists are there', 'good', { database: 'good', litecoin: 'none' }, STATUS.listsWork, undefined],
  [
    'one is slow',
    'slow',
    { database: 'good', litecoin: 'slow' },
    STATUS.overall.slow,
    `${STATUS.listsWork}.`,
  ],
  [
    'parts are down, two of which mean the same to people',
    'partly',
    { database: 'slow', litecoin: 'bad', main_bot: 'bad', protection_service: 'bad' },
    STATUS.overall.partly,
    `${STATUS.listsWork}. ${STATUS.withoutPart.litecoin} ${STATUS.withoutPart.main_bot}`,
  ],
  ['the lists are down', 'bad', { database: 'bad' }, STATUS.overall.bad, STATUS.listsFail],
])('says what people can do when %s', (_case, overall, healths, title, text) => {
  const parts = Object.entries(healths).map(([id, health]) => ({ id: id as PartId, health }));
  expect(describeStatus(overall, parts)).toEqual({ title, text });
});

it.each([
  [{}, 'good'],
  [{ latencyMs: SLOW_FROM_MS }, 'slow'],
  [{ ok: false }, 'partly'],
])('of a check with %j is %s as a whole', (check, overall) => {
  const checks = [
    { id: 'database', ok: true, latencyMs: 7 },
    { id: 'litecoin', ok: true, latencyMs: 7, ...check },
  ] as const;
  expect(overallHealth({ checks, bots: [], checkedAt: '' })).toBe(overall);
});
