import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, toNdjson } from '../../support/run-czujka.ts';

const LARGE_TEST = { timeout: 240_000 };
const IMPORT = ['import', '-', '--list', 'scammers'];

function readRows(db: Database): unknown[] {
  return ['entries', 'contents', 'published', 'changes', 'tombstones'].map((table) =>
    db.connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );
}

describe('a large import', () => {
  it('takes no more memory for more records', LARGE_TEST, async () => {
    const operator = await makeMigratedCommandLine();
    operator.file('in.ndjson', [...sampleRecords('scammers', { count: 10_000, seed: 1 })]);
    const { code, stdout, stderr } = await operator.spawn(
      ['import', 'in.ndjson', '--list', 'scammers', '--yes'],
      {
        script: join(import.meta.dirname, '../../support/czujka-memory.ts'),
      },
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'added 10000, updated 0, unchanged 0, rejected 0\n',
    });
    expect(Number(stderr)).toBeGreaterThan(0);
    expect(Number(stderr)).toBeLessThan(400 * 1024);
  });

  it('is refused when another command changed one of its entries, and changes nothing', async () => {
    const operator = await makeMigratedCommandLine();
    const child = operator.start(IMPORT);
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += String(text)));
    const ended = once(child, 'close');
    const records = [makeRecord({ id: '1' }), ...Array.from({ length: 3_000 }, () => makeRecord())];
    // Most of them are taken when the stream drains.
    if (!child.stdin.write(toNdjson(records))) await once(child.stdin, 'drain');
    const add = 'entry add 1 --odd-id --list scammers --name quicker --reason x --by ewa';
    await operator.succeed(...add.split(' '));
    const before = operator.read(readRows);
    child.stdin.end();
    expect(await ended).toEqual([2, null]);
    expect(stderr).toMatch(
      /\nthe entry 1 of scammers was changed meanwhile at 20\S+Z by ewa; nothing was written; run the command again\n/,
    );
    expect(operator.read(readRows)).toEqual(before);
  });
});
