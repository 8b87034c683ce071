// Needs: systemd-analyze
/** The unit that is shipped is hardened, as systemd itself judges, and so it is with each drop-in. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/temporary-database.ts';

const DEPLOY = join(import.meta.dirname, '../../../scripts/deploy');
const DROP_INS = readdirSync(join(DEPLOY, 'czujka.service.d'));
/** The exposure level of systemd-analyze, in tenths: 0 is locked up, 100 open. */
const EXPOSURE_MAX = 20;

it.each([[[]], [DROP_INS]])('is judged 2 or better, and systemd knows all of it, with %j', (dropIns) => {
  const folder = makeFolder();
  const unit = join(folder, 'czujka.service');
  copyFileSync(join(DEPLOY, 'czujka.service'), unit);
  mkdirSync(`${unit}.d`);
  for (const name of dropIns) copyFileSync(join(DEPLOY, 'czujka.service.d', name), join(`${unit}.d`, name));
  const args = ['security', '--no-pager', '--offline=true', `--threshold=${EXPOSURE_MAX}`, unit];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toMatch(/Unknown key|Failed to parse|ignoring/i);
});
