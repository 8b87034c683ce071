// Needs: systemd-analyze
/** The unit that is shipped is hardened, as systemd itself judges, and so it is with each drop-in. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../support/temporary-database.ts';

const DEPLOY = join(import.meta.dirname, '../../../scripts/deploy');
const DROP_INS = readdirSync(join(DEPLOY, 'czujka.service.d'));
/** The exposure level of systemd-analyze, in tenths: 0 is locked up, 100 open. */
const BASE_MAX = 25;
const WITH_DROP_IN_MAX = 30;

function judge(dropIns: readonly string[], threshold: number): { status: number | null; text: string } {
  const folder = makeFolder();
  const unit = join(folder, 'czujka.service');
  copyFileSync(join(DEPLOY, 'czujka.service'), unit);
  mkdirSync(`${unit}.d`);
  for (const name of dropIns) copyFileSync(join(DEPLOY, 'czujka.service.d', name), join(`${unit}.d`, name));
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['security', '--no-pager', '--offline=true', `--threshold=${threshold}`, unit],
    { encoding: 'utf8' },
  );
  return { status, text: stdout + stderr };
}

describe('the unit for systemd', () => {
  it('is judged 2.5 or better', () => {
    const { status, text } = judge([], BASE_MAX);
    expect(status, text).toBe(0);
    expect(text).toMatch(/Overall exposure level for czujka\.service: [0-2]\.\d/);
  });

  it.each(DROP_INS)('stays tight with %s', (name) => {
    const { status, text } = judge([name], WITH_DROP_IN_MAX);
    expect(status, text).toBe(0);
  });

  it('has nothing that systemd does not know', () => {
    const { text } = judge(DROP_INS, 100);
    expect(text).not.toMatch(/Unknown key|Failed to parse|ignoring/i);
    expect(readFileSync(join(DEPLOY, 'czujka.service'), 'utf8')).toContain('NotifyAccess=all');
  });
});
