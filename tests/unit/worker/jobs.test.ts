import cron from 'node-cron';
import { expect, it } from 'vitest';
import { JOBS } from '#src/worker/jobs.ts';

it.each(JOBS)('has a schedule that the worker can start with: $name', ({ schedule }) => {
  expect(cron.validate(schedule)).toBe(true);
});
