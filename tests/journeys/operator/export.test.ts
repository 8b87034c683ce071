import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeMigratedCommandLine, makeCommandLine } from '../../support/run-czujka.ts';
import { PNG, publicPictures, storedProofFiles } from '../../support/stored-entries.ts';

/** In no order: an import adds entries in that of the alphabet. */
function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').toSorted();
}

it('makes the same entries in an empty database, and is the same when exported again', async () => {
  const [from, to] = [makeCommandLine(), makeCommandLine()];
  await from.succeed('seed', '--count', '60', '--seed', '3');
  from.file('shot.png', PNG);
  from.file('photo.jpg', await makePhoto());
  const strange = [
    makeRecord({ name: '\u202eegap\u200b 🐢', reason: '\t# Nagłówek\r\n\r\n- `kod`\n\n<b>' }),
    makeRecord({ verified: false }),
    makeRecord({ name: '__proto__', reason: '', reportedAt: '2015-01-01', views: Number.MAX_SAFE_INTEGER }),
    ...[
      { private: true, items: [] },

      { private: false, items: [{ text: '–' }, { file: 'photo.jpg', caption: 'Zdjęcie' }] },
      { private: true, items: [{ file: 'shot.png' }, { url: 'https://example.com/?a=ł' }] },
    ].map((proofs) => makeRecord({ proofs })),
  ];
  await from.succeed('import', from.file('strange.ndjson', strange), '--list', 'servers');
  for (const list of LIST_KINDS) {
    const out = join(to.folder, `${list}.ndjson`);
    expect(await from.succeed('export', '--list', list, '--out', out)).toMatch(
      new RegExp(`^exported \\d+ entries of ${list} to `),
    );
    expect(await to.succeed('import', `${list}.ndjson`, '--list', list)).toContain(
      'updated 0, unchanged 0, rejected 0',
    );
  }
  expect(to.read(listEverything)).toEqual(from.read(listEverything));
  expect(storedProofFiles(to)).toEqual(storedProofFiles(from));
  expect(publicPictures(to)).toEqual(publicPictures(from));
  expect(publicPictures(to)).toHaveLength(4);
  for (const list of LIST_KINDS) {
    const [file, again] = [`${list}.ndjson`, join(makeCommandLine().folder, `${list}.ndjson`)];
    expect(await to.succeed('import', file, '--list', list)).toContain('added 0, updated 0,');
    await to.succeed('export', '--list', list, '--out', again);
    expect(readLines(again)).toEqual(readLines(join(to.folder, file)));
  }
});

it('neither overwrites a file nor makes a folder for it', async () => {
  const operator = await makeMigratedCommandLine();
  operator.file('out.ndjson', 'mine');
  for (const [out, problem] of [
    ['out.ndjson', 'out.ndjson exists; name a new file'],
    ['none/out.ndjson', 'none is no folder; make it first'],
  ] as const)
    expect(await operator.fail('export', '--list', 'scammers', '--out', out)).toBe(`${problem}\n`);
  expect(readFileSync(join(operator.folder, 'out.ndjson'), 'utf8')).toBe('mine');
  expect(readdirSync(operator.folder)).toEqual(['data', 'out.ndjson']);
});

it('ends quietly when its reader has enough', async () => {
  const operator = makeCommandLine();
  const records = Array.from({ length: 100 }, () => makeRecord({ reason: 'x'.repeat(8_000) }));
  await operator.fill('scammers', ...records);
  const child = operator.start(['export', '--list', 'scammers']);
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
