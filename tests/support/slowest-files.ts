/** A reporter that ends a run with the files that took longest: whoever makes the tests slower sees it. */
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((file) => ({
      name: `${file.relativeModuleId} (${file.project.name})`,
      seconds: file.diagnostic().duration / 1_000,
    }));
    if (files.length <= SHOWN) return;
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
    const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
    process.stdout.write(
      `\nThe slowest of ${files.length} files, ${total.toFixed(0)} s one after another:\n` +
        slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`).join(''),
    );
  }
}
