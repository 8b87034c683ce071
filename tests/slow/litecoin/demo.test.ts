// Needs: litecoind
/** The demo on a litecoind of its own: it ends with the demo, whenever that ends. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startProcess } from '../../support/start-process.ts';
import type { RunningProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const DEMO = join(import.meta.dirname, '../../../scripts/demo.ts');

interface Node {
  readonly pid: number;
  readonly folder: string;
}

function startDemo(): RunningProcess {
  const place = makeFolder();
  return startProcess(DEMO, {
    cwd: place,
    args: ['--data', join(place, 'demo')],
    settings: { PORT: '0', LOG_LEVEL: 'silent' },
  });
}

/** The demo's litecoind, once it runs. */
function findNode({ pid }: RunningProcess): Promise<Node> {
  return vi.waitUntil(
    () => {
      for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')) {
        const command = existsSync(`/proc/${child}/cmdline`)
          ? readFileSync(`/proc/${child}/cmdline`, 'utf8')
          : '';
        const [, folder] = /litecoind\0.*-datadir=([^\0]+)/.exec(command) ?? [];
        if (folder !== undefined) return { pid: Number(child), folder };
      }
      return undefined;
    },
    { timeout: 60_000, interval: 20 },
  );
}

async function expectGone({ pid, folder }: Node): Promise<void> {
  await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 20_000 }).toBe(false);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
}

it('leaves no litecoind behind when it is ended while it serves', async () => {
  const demo = startDemo();
  const node = await findNode(demo);
  await demo.logged({ msg: 'Ctrl+C ends it.' });
  expect(demo.lines.filter(({ msg }) => msg.includes('litecoind in regtest'))).toHaveLength(1);
  const watched = await vi.waitUntil(
    () => demo.lines.find(({ msg }) => msg.startsWith('Watch this donation')),
    {
      timeout: 90_000,
    },
  );
  const [address = ''] = /http:\S+/.exec(watched.msg) ?? [];
  expect(await (await fetch(address)).text()).toContain('rltc');
  demo.child.kill('SIGINT');
  expect(await demo.ended).toMatchObject({ code: 0 });
  await expectGone(node);
});

it('leaves none behind either when it is ended while it starts', async () => {
  const demo = startDemo();
  const node = await findNode(demo);
  demo.child.kill('SIGINT');
  expect(await demo.ended).toMatchObject({ code: 130 });
  await expectGone(node);
});
