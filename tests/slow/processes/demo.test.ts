// Needs: chromium
/** `npm run demo`: a service that is set up, of which nothing belongs to a real one. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DEMO_TROUBLES } from '../../../scripts/sample/demo-status.ts';
import type { Status } from '#src/status/status.ts';
import { crawl } from '../../support/browser/crawl.ts';
import { findPort } from '../../support/find-port.ts';
import type { RunningProcess } from '../../support/run-process.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const LOOKED_WITHIN = { timeout: 20_000, interval: 500 };
/** More pages of a kind show nothing new: each list has all its pictures on five pages. */
const PAGES_OF_KIND = 40;
const DEMO = join(import.meta.dirname, '../../../scripts/demo.ts');

function told({ lines }: RunningProcess, beginning: string): string {
  const found = lines.filter(({ msg }) => msg.startsWith(beginning));
  expect(found, beginning).toHaveLength(1);
  return found[0]?.msg.slice(beginning.length) ?? '';
}

async function read(address: string): Promise<string> {
  const response = await fetch(address);
  expect([address, response.status]).toEqual([address, 200]);
  return (await response.text()).replaceAll('&nbsp;', ' ').replaceAll('\u00a0', ' ');
}

it('shows a service that is set up, takes nothing of a real one, and ends with a signal', async () => {
  const place = makeFolder();
  const [folder, backups] = [join(place, 'demo'), join(place, 'backups')];
  const own = { PORT: String(await findPort()), TRUST_PROXY: 'loopback' };
  const demo = startProcess(DEMO, {
    cwd: place,
    args: ['--data', folder],
    settings: { ...own, OPERATOR_NAME: 'Prawdziwa', BACKUP_FOLDER: backups, LITECOIN_NETWORK: 'main' },
  });
  await demo.logged({ msg: 'Ctrl+C ends it.' });
  const origin = told(demo, 'Czujka demo: ');

  const donate = await read(`${origin}/donate`);
  expect(donate).not.toMatch(/Nikt nie śledzi|brakuje|[Nn]ie podano/);
  expect(donate).toContain('Czujka nie należy do platformy Gwarnik.');
  expect(await read(`${origin}/feeds/legit.atom`)).toContain('<name>Fundacja Przykład</name>');

  await vi.waitUntil(() => demo.lines.some(({ msg }) => msg.startsWith('Watch')), { timeout: 20_000 });
  const watched = told(demo, 'Watch this donation walk through its life: ');
  // The worker's first look at the chain may come later than the line.
  const page = await vi.waitFor(async () => {
    const shown = await read(watched);
    expect(shown).not.toMatch(/Nikt nie śledzi|nie mamy świeżych danych|nikt jeszcze nie sprawdził/);
    return shown;
  }, LOOKED_WITHIN);
  for (const part of ['i tak zobaczymy', 'href="mailto:kontakt@czujka.example"'])
    expect(page).toContain(part);

  await vi.waitUntil(
    async () => {
      const { checks, bots } = (await (await fetch(`${origin}/api/status`)).json()) as Status;
      return [...checks, ...bots].every(({ ok }) => ok);
    },
    { timeout: 60_000, interval: 1_000 },
  );
  const status = await read(`${origin}/status`);
  for (const { note } of DEMO_TROUBLES) expect(status).toContain(note.split('\n', 1)[0]);

  // A visitor opens everything on a fresh folder, and again after all of it.
  for (const most of [PAGES_OF_KIND, 1]) {
    const { visited, troubles } = await crawl(origin, most);
    expect(troubles).toEqual([]);
    expect(visited.length).toBeGreaterThan(70);
  }
  expect(demo.lines.filter(({ level }) => level === 'error')).toEqual([]);

  demo.child.kill('SIGINT');
  expect(await demo.ended).toMatchObject({ code: 0 });
  await expect(fetch(origin)).rejects.toThrow();
  expect(existsSync(backups)).toBe(false);
}, 240_000);

it('leaves a folder alone that holds something else', async () => {
  const folder = join(makeFolder(), 'mine');
  mkdirSync(folder);
  writeFileSync(join(folder, 'czujka.db'), 'mine');
  const demo = startProcess(DEMO, { cwd: folder, args: ['--data', folder], settings: {} });
  const { code, stderr } = await demo.ended;
  expect(code).toBe(2);
  expect(stderr).toContain(`${folder} holds something else than a demo`);
  expect(readdirSync(folder)).toEqual(['czujka.db']);
});
