import cron from 'node-cron';
import { expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { createJobs } from '#src/worker/jobs.ts';

it.each(createJobs(parseConfig({})))('has a schedule that the worker can use: $name', ({ schedule }) => {
  expect(cron.validate(schedule)).toBe(true);
});
