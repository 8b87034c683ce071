/** With web process and worker running: what is private or removed is nowhere, and no view is lost at the end. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeImage, METADATA_MARKER } from '../../support/make-image.ts';
import { makeCommandLine, type Operator } from '../../support/run-czujka.ts';
import { startServer } from '../../support/server-process.ts';
import { startProcess } from '../../support/start-process.ts';

const MARK = 'Znacznik7f3a';
const ID = '777000777000777000';
const ON = ['--list', 'scammers'] as const;
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0';
const WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');

/** Files under data/ that hold one of these, but the database and the originals where the operator keeps them. */
function filesWith(operator: Operator, marks: readonly string[], pattern = 'data/**/*'): string[] {
  return globSync(pattern, { cwd: operator.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      // A file may go while it is looked for.
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
      return marks.some((mark) => bytes.includes(mark));
    });
}

async function importMarked(operator: Operator, isPrivate: boolean): Promise<void> {
  const image = makeImage(333, 222)
    .jpeg()
    .withExif({ IFD0: { Artist: METADATA_MARKER } });
  operator.file('in/marked.jpg', await image.toBuffer());
  const items = [
    { text: `${MARK} opis`, url: `https://example.com/${MARK}`, caption: `${MARK} podpis` },
    { file: 'marked.jpg', caption: `${MARK} zdjęcie` },
  ];
  const name = isPrivate ? 'nick' : `${MARK} nick`;
  const reason = isPrivate ? 'Powód.' : `Powód ${MARK}.`;
  operator.file('in/in.ndjson', [
    makeRecord({ id: ID, name, reason, proofs: { private: isPrivate, items } }),
    ...Array.from({ length: 50 }, () => makeRecord()),
  ]);
  await operator.succeed('import', 'in/in.ndjson', ...ON);
}

it('private proofs leave no byte in any answer, served file or log, and the last views are written', async () => {
  const operator = makeCommandLine();
  await importMarked(operator, true);
  const settings = { DATABASE_PATH: operator.databasePath, LOG_LEVEL: 'trace' };
  const startWorker = () => startProcess(WORKER, { settings, cwd: operator.folder });
  const worker = startWorker();
  for (const job of ['snapshots', 'list-indexes', 'search']) await worker.logged({ job, msg: 'job ended' });
  // It would count the view.
  worker.child.kill('SIGTERM');
  const { stderr } = await worker.ended;
  const server = await startServer(settings);
  const headers = { 'User-Agent': BROWSER };
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
    return `${JSON.stringify([...answer.headers])}\n${Buffer.from(await answer.arrayBuffer()).toString('latin1')}`;
  };
  const [shown] = await operator.json<{ proofsId: string }[]>('proofs', 'show', ID);
  const [original = ''] = readdirSync(join(operator.folder, 'data/proofs/originals'));
  const paths = [
    '/',
    '/scammers',
    '/scammers?proofs=private',
    `/scammers?id=${ID}`,
    `/?search=${ID}`,
    `/?search=${MARK}`,
    `/proofs/${shown?.proofsId}`,
    `/proofs/images/${original}.webp`,
    `/proofs/images/${original}`,
    '/api/scammers',
    '/api/scammers?proofs=private',
    `/api/scammers?id=${ID}`,
    `/api/check?id=${ID}`,
    '/api/check?search=nick',
    '/api/scammers?search=opis',
    `/api/scammers?search=${MARK}`,
    '/api/status',
    '/docs',
    '/api/changes',
    '/snapshots/manifest.json',
  ];
  for (const path of paths) {
    for (const text of [await get(path), await get(path)]) {
      // A page repeats what was searched for, and its own address.
      const asked = [MARK, original].filter((mark) => path.includes(mark));
      const answer = asked.reduce((rest, mark) => rest.replaceAll(mark, ''), text);
      expect(answer.includes(MARK), path).toBe(false);
      expect(answer.includes(METADATA_MARKER), path).toBe(false);
      expect(answer.includes(original), path).toBe(false);
    }
  }
  expect(existsSync(join(operator.folder, 'data/proofs/public'))).toBe(false);
  const kept = filesWith(operator, [MARK, MARK.toLowerCase(), METADATA_MARKER]);
  expect(kept.filter((path) => !/czujka\.db(?:-wal)?$|\/originals\//.test(path))).toEqual([]);
  server.child.kill('SIGTERM');
  const logs = JSON.stringify([server.lines, worker.lines, stderr, (await server.ended).stderr]);
  expect(logs.length).toBeGreaterThan(500);
  for (const mark of [MARK, METADATA_MARKER, original]) expect(logs).not.toContain(mark);

  expect(existsSync(join(operator.folder, 'data/views.db'))).toBe(true);
  const next = startWorker();
  await next.logged({ job: 'views', msg: 'job ended', views: 1 });
  expect(await operator.json('entry', 'show', ID)).toMatchObject([{ views: 1 }]);
});
