import { expect, it } from 'vitest';
import { OperatorError } from '#src/operator-error.ts';
import { toOperatorError } from '#src/operator/run-cli.ts';

it('says what failed first, not that the clean-up failed too', () => {
  const first = new OperatorError('conflict', 'was changed meanwhile');
  expect(toOperatorError(new SuppressedError(new Error('EBUSY'), first))).toBe(first);
});
