import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';

it('a large import takes no more memory for more records', { timeout: 240_000 }, async () => {
  const operator = await makeMigratedCommandLine();
  operator.file('in.ndjson', [...sampleRecords('scammers', { count: 10_000, seed: 1 })]);
  const script = join(import.meta.dirname, '../../support/czujka-memory.ts');
  const args = ['import', 'in.ndjson', '--list', 'scammers', '--yes'];
  const { code, stdout, stderr } = await operator.spawn(args, { script });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'added 10000, updated 0, unchanged 0, rejected 0\n' });
  expect(Number(stderr)).toBeGreaterThan(0);
  expect(Number(stderr)).toBeLessThan(400 * 1024);
});
