import { readTestEnvironment } from '#src/config.ts';

/**
 * How often something random is tried: some times in each run of the tests, `many` times by `npm run faults -- trials`,
 * which looks for what is rare.
 */
export function trials(some: number, many: number): number {
  return readTestEnvironment().isThorough ? many : some;
}
