import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param rules only these; without it all
 * @returns a line for each rule that the page violates, with up to three of its elements
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(`window.axe ?? ${AXE}`);
  const results = await page.evaluate(
    (only) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
        // No rule that is on reads stylesheets.
        resultTypes: ['violations'],
        preload: false,
        ...(only && { runOnly: [...only] }),
      }),
    rules,
  );
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(' | ')}`,
  );
}
