import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import { exported, PNG, storedProofFiles } from '../../support/stored-entries.ts';

/** In no order: an import adds entries in that of the alphabet. */
function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').sort();
}

describe('export', () => {
  it('makes the same entries in an empty database, and is the same when exported again', async () => {
    const [from, to] = [makeOperator(), makeOperator()];
    await from.do('seed', '--count', '600', '--seed', '3');
    from.file('shot.png', PNG);
    const strange = [
      makeRecord({
        name: '\u202eegap\u200b 🐢',
        reason: '\t# Nagłówek\r\n\r\n- `kod`\n\n<b>',
        verified: false,
      }),
      makeRecord({ name: '__proto__', reason: '', reportedAt: 0, views: Number.MAX_SAFE_INTEGER }),
      makeRecord({ proofs: { private: true, items: [] } }),
      makeRecord({
        proofs: { private: false, items: [{ text: '' }, { file: 'shot.png', caption: 'Zrzut' }] },
      }),
      makeRecord({
        proofs: { private: true, items: [{ file: 'shot.png' }, { url: 'https://example.com/?a=ł' }] },
      }),
    ];
    await from.do('import', from.file('strange.ndjson', strange), '--list', 'servers');
    for (const list of LIST_KINDS) {
      const out = join(to.folder, `${list}.ndjson`);
      expect(await from.do('export', '--list', list, '--out', out)).toMatch(
        new RegExp(`^exported \\d+ entries of ${list} to `),
      );
      expect(await to.do('import', `${list}.ndjson`, '--list', list)).toContain(
        'updated 0, unchanged 0, rejected 0',
      );
    }
    expect(to.read(listEverything)).toEqual(from.read(listEverything));
    expect(storedProofFiles(to)).toEqual(storedProofFiles(from));
    for (const list of LIST_KINDS) {
      const again = join(makeOperator().folder, `${list}.ndjson`);
      await to.do('export', '--list', list, '--out', again);
      expect(readLines(again)).toEqual(readLines(join(to.folder, `${list}.ndjson`)));
    }
  });

  it('is unchanged when it is imported where it came from', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '50', '--list', 'scammers');
    operator.file('shot.png', PNG);
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
    await operator.do('export', '--list', 'scammers', '--out', 'out.ndjson');
    expect(await operator.do('import', 'out.ndjson', '--list', 'scammers')).toBe(
      'added 0, updated 0, unchanged 51, rejected 0\n',
    );
  });

  it('holds what the trusted list does not serve', async () => {
    const operator = makeOperator();
    const record = makeRecord();
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'legit');
    expect(await exported(operator, record.id, 'legit')).toMatchObject({ id: record.id, verified: true });
  });

  it('does not overwrite a file', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    operator.file('out.ndjson', 'mine');
    const outcome = await operator.run(['export', '--list', 'scammers', '--out', 'out.ndjson']);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'out.ndjson exists; name a new file\n' });
    expect(readFileSync(join(operator.folder, 'out.ndjson'), 'utf8')).toBe('mine');
  });

  it('counts one as one', async () => {
    const operator = makeOperator();
    operator.file('in.ndjson', [{ ...makeRecord(), name: '' }]);
    const { stdout } = await operator.run(['import', 'in.ndjson', '--list', 'scammers']);
    expect(stdout).toMatch(/^nothing was changed: 1 problem \(/);
    operator.file('in.ndjson', [makeRecord()]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    expect(await operator.do('export', '--list', 'scammers', '--out', 'out.ndjson')).toBe(
      'exported 1 entry of scammers to out.ndjson\n',
    );
    expect(await operator.do('backup', 'saved')).toMatch(/^1 entry and their proof files: saved\//);
    expect(await operator.do('rebuild')).toMatch(/^looked at 1 entry, /);
  });

  it('does not make a folder for the file, and leaves nothing behind', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    const outcome = await operator.run(['export', '--list', 'scammers', '--out', 'none/out.ndjson']);
    expect(outcome).toMatchObject({ code: 1, stderr: 'none is no folder; make it first\n' });
    expect(readdirSync(operator.folder)).toEqual(['data']);
  });
});
