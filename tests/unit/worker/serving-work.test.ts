import { afterEach, expect, it } from 'vitest';
import type { FollowContext } from '#src/worker/follow-changes.ts';
import { servingFollower } from '#src/worker/serving-work.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const warnings: Error[] = [];
const listen = (warning: Error): void => void warnings.push(warning);
afterEach(() => void process.off('warning', listen));

it('leaves nothing behind on its thread that would grow with every change', async () => {
  process.on('warning', listen);
  const db = await makeDatabase();
  const signal = new AbortController().signal;
  // Node warns of the eleventh listener.
  for (let run = 0; run < 12; run += 1) await servingFollower.run({ db, signal } as FollowContext);
  expect(warnings).toEqual([]);
});
