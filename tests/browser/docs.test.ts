/** The answers in the documentation are those that the interface gives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLES } from '#src/components/prose/docs-samples.ts';
import { VERDICT_SAMPLES } from '#src/components/prose/verdict-samples.ts';
import { startDemoSite } from '../../scripts/gallery/demo-site.ts';
import type { DemoSite } from '../../scripts/gallery/demo-site.ts';

let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite();
});
afterAll(() => site.close());

/** Measured anew each time. */
const CHANGING = new Set(['latencyMs', 'checkedAt', 'dataAt']);
const { verdict, verdicts } = VERDICT_SAMPLES;
const ANSWERS = { ...SAMPLES, verdict, verdicts };

it.each(Object.entries(ANSWERS).filter(([name]) => name !== 'limited'))('%s', async (name, sample) => {
  const docs = await (await fetch(`${site.origin}/docs`)).text();
  const commands = [...docs.matchAll(/curl &#39;[^/]*\/\/[^/]*(\/api[^ ]*?)&#39;/g)];
  expect(commands.length).toBeGreaterThan(6);
  const answers = await Promise.all(
    commands.map(async ([, path = '']) =>
      withoutChanging(await (await fetch(site.origin + path.replaceAll('&amp;', '&'))).text()),
    ),
  );
  expect(answers, name).toContainEqual(withoutChanging(sample));
});

function withoutChanging(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (CHANGING.has(key) && value !== null ? '' : value));
}
