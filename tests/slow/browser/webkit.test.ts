// Needs: webkit xvfb
/** Pages in WebKit, the engine of every iPhone, by the protocol of WebDriver (https://www.w3.org/TR/webdriver2/). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { NAV } from '#src/components/layout/navigation-texts.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { startDemoSite, type DemoSite } from '../../support/demo-site.ts';
import { findPort } from '../../support/find-port.ts';

const processes: ChildProcess[] = [];
const PATIENCE = { timeout: 20_000 };
let site: DemoSite;
let session: string;

beforeAll(async () => {
  site = await startDemoSite();
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = await findPort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display.toString().trim()}` },
  });
  processes.push(driver, screen);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/status`)).ok).toBe(true), PATIENCE);
  const created = await ask(`${origin}/session`, { capabilities: {} });
  session = `${origin}/session/${(created as { sessionId: string }).sessionId}`;
});

afterAll(async () => {
  await fetch(session, { method: 'DELETE' });
  for (const one of processes) one.kill();
  await site.close();
});

async function ask(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: unknown };
  expect(response.status, JSON.stringify(value)).toBe(200);
  return value;
}

const open = (path: string): Promise<unknown> => ask(`${session}/url`, { url: site.origin + path });

/** @returns the value of an expression in the page */
const read = (expression: string): Promise<unknown> =>
  ask(`${session}/execute/sync`, { script: `return ${expression}`, args: [] });

async function type(text: string): Promise<void> {
  const field = (await ask(`${session}/element`, { using: 'css selector', value: '#ask' })) as object;
  await ask(`${session}/element/${Object.values(field).join('')}/value`, { text });
}

it('shows the first letter of a name without a picture, and underlines the page of the head', async () => {
  await open('/scammers');
  await vi.waitUntil(
    () =>
      read(`[...document.querySelectorAll('.avatar > img')].slice(0, 5).every((image) => image.complete)`),
    PATIENCE,
  );
  expect(
    await read(`document.querySelector('.avatar > img').getBoundingClientRect().width`),
  ).toBeLessThanOrEqual(1);
  const current = `document.querySelector('.nav [aria-current]')`;
  expect(await read(`${current}.textContent.trim()`)).toBe(NAV.links[0][1]);
  expect(await read(`getComputedStyle(${current}).textDecorationLine`)).toBe('underline');
});

it('finds while somebody types, and answers what Enter asks', async () => {
  await open('/');
  await type('kupskin');
  await vi.waitUntil(() => read(`document.querySelectorAll('.hits > li').length > 1`), PATIENCE);
  await type('\uE007');
  await vi.waitUntil(() => read(`document.activeElement.id === 'wynik'`), PATIENCE);
  expect(await read('location.search')).toBe('?search=kupskin');
});

it.each(['/', `/?search=${DEMO_IDS.listed}`, '/scammers', '/status', '/donate', '/zglos', '/docs'])(
  'fits into a window: %s',
  async (path) => {
    await ask(`${session}/window/rect`, { width: 450, height: 900 });
    await open(path);
    expect(await read('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  },
);
