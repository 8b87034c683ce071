import { readTestEnvironment } from '#src/environment.ts';

/** @returns how often something is tried: `some` times in each run of the tests, `many` times with TRIALS=many */
export function trials(some: number, many: number): number {
  return readTestEnvironment().hasManyTrials ? many : some;
}
