/** With web process and worker running: what is private is nowhere, and no view is lost at the end. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findInFiles } from '../../support/find-in-files.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeImage, METADATA_MARKER } from '../../support/make-image.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { runWorker, startServer } from '../../support/server-process.ts';

const MARK = 'Znacznik7f3a';
const ID = '777000777000777000';
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0';

it('private proofs and notes leave no byte in any answer, served file or log, and the last views are written', async () => {
  const operator = makeCommandLine();
  const image = makeImage(333, 222)
    .jpeg()
    .withExif({ IFD0: { Artist: METADATA_MARKER } });
  operator.file('marked.jpg', await image.toBuffer());
  const items = [
    { text: `${MARK} opis`, url: `https://example.com/${MARK}`, caption: `${MARK} podpis` },
    { file: 'marked.jpg', caption: `${MARK} zdjęcie` },
  ];
  const marked = makeRecord({ id: ID, reportId: 'R-0000000001', proofs: { private: true, items } });
  await operator.fill('scammers', marked, ...Array.from({ length: 50 }, () => makeRecord()));
  await operator.succeed('entry', 'note', ID, `${MARK} notatka`);
  const settings = { DATABASE_PATH: operator.databasePath, LOG_LEVEL: 'trace' };
  const worker = runWorker(operator.databasePath, settings);
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
    `/scammers?id=${ID}`,
    `/proofs/${shown?.proofsId}`,
    `/api/check?id=${ID}`,
    '/wpis/R-0000000001',
    '/api/changes',
    '/snapshots/manifest.json',
  ];
  const marks = [MARK, METADATA_MARKER, original];
  // Searches and addresses of pictures are in contract/proofs. The second answer comes out of the cache.
  for (const path of [...paths, ...paths]) {
    const answer = await get(path);
    for (const mark of marks) expect(answer.includes(mark), `${mark} in ${path}`).toBe(false);
  }
  expect(existsSync(join(operator.folder, 'data/proofs/public'))).toBe(false);
  const kept = findInFiles(join(operator.folder, 'data'), [MARK, MARK.toLowerCase(), METADATA_MARKER]);
  expect(kept.filter((found) => !/czujka\.db(?:-wal)?$|\/originals\//.test(found))).toEqual([]);
  server.child.kill('SIGTERM');
  const logs = JSON.stringify([server.lines, worker.lines, stderr, (await server.ended).stderr]);
  expect(logs.length).toBeGreaterThan(500);
  for (const mark of marks) expect(logs).not.toContain(mark);

  await runWorker(operator.databasePath).logged({ job: 'views', msg: 'job ended', views: 1 });
  expect(await operator.json('entry', 'show', ID)).toMatchObject([{ views: 1 }]);
});
