import { z } from 'zod';
import type { Operation } from '#src/http/endpoint.ts';

/** For endpoints of tests, which nobody reads about. */
export const TEST_OPERATION: Operation = {
  id: 'test',
  tag: 'rest',
  summary: 'Test.',
  answer: { description: 'Test.', content: { 'text/plain': z.string() } },
};
