// Needs: unshare
/**
 * Imports that find no room, on a small disk of their own: a tmpfs in a mount namespace, which ends with the commands
 * that run in it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { toNdjson } from '../../support/run-czujka.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const CZUJKA_FILE = join(import.meta.dirname, '../../../scripts/czujka.ts');
const NAMESPACE = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
const canMount =
  spawnSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'none', makeFolder()]).status === 0;
if (!canMount)
  process.stderr.write('\n*** SKIPPED: tests of a full disk need unshare, and the right to mount\n\n');

interface Step {
  readonly said: string;
  readonly exit: number;
  /** Bytes. */
  readonly free: number;
  readonly databaseSize: number;
  readonly files: readonly string[];
}

/** Imports files into lists one after the other, on a disk of this size. */
async function importOnDisk(
  size: string,
  files: Readonly<Record<string, readonly object[]>>,
  imports: readonly (readonly [file: string, list: string])[],
): Promise<Step[]> {
  const folder = makeFolder();
  mkdirSync(join(folder, 'data'));
  for (const [name, records] of Object.entries(files)) writeFileSync(join(folder, name), toNdjson(records));
  const script = `
    mount -t tmpfs -o size=${size} none data || exit
    look() { echo "exit $?"; df --block-size=1 --output=avail data | tail -1; stat --format=%s data/czujka.db; ls data; echo ---; }
    ${imports.map(([file, list]) => `"$@" import ${file} --list ${list} 2>&1; look`).join('\n')}`;
  const child = spawn('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', process.execPath, CZUJKA_FILE], {
    cwd: folder,
    env: cleanEnvironment({ DATABASE_PATH: 'data/czujka.db' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output
    .split('---\n')
    .slice(0, -1)
    .map((step) => {
      const [, said = '', exit, free, databaseSize, names = ''] =
        /^(.*)^exit (\d+)\n\s*(\d+)\n(\d+)\n(.*)$/ms.exec(step) ?? [];
      return {
        said,
        exit: Number(exit),
        free: Number(free),
        databaseSize: Number(databaseSize),
        files: names.trim().split('\n'),
      };
    });
}

const few = Array.from({ length: 100 }, () => makeRecord());

it.skipIf(!canMount)('an import that finds no room leaves the disk as it was', async () => {
  const many = Array.from({ length: 2_500 }, (__, index) =>
    makeRecord({ reason: `${'Powód, o którym jest dużo do powiedzenia. '.repeat(40)} ${index}` }),
  );
  const [before, failed, after] = await importOnDisk('8m', { 'few.ndjson': few, 'many.ndjson': many }, [
    ['few.ndjson', 'servers'],
    ['many.ndjson', 'scammers'],
    ['few.ndjson', 'scammers'],
  ]);
  expect(before).toMatchObject({ exit: 0, files: ['czujka.db'] });
  const inputBytes = Buffer.byteLength(toNdjson(many));
  const sentence =
    /^could not run: no room on the disk of \/\S+\/data: \d+ bytes are free, \d+ of them in the database, and the import needs about (\d+); nothing was imported\n$/;
  expect(failed).toMatchObject({ exit: 2, free: before?.free, databaseSize: before?.databaseSize });
  const needed = Number(sentence.exec(failed?.said ?? '')?.[1]);
  expect(needed).toBeGreaterThan(inputBytes * 3);
  expect(after).toMatchObject({
    said: expect.stringContaining('added 100, updated 0, unchanged 0, rejected 0\n') as string,
    exit: 0,
  });
});
