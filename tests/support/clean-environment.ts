/**
 * The surroundings of a process that a test starts: ours, but with none of the settings (vitest sets a BASE_URL), and
 * with a place where Node keeps compiled files, which halves the time that a command takes to begin.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTING_NAMES } from '#src/config.ts';
import { childEnvironment } from '#src/environment.ts';

/** Where the processes of all tests keep it. */
const COMPILED_CODE = { NODE_COMPILE_CACHE: join(tmpdir(), 'czujka-test-compile-cache') };

export function cleanEnvironment(settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment = childEnvironment();
  for (const name of SETTING_NAMES) delete environment[name];
  return { ...environment, ...COMPILED_CODE, ...settings };
}
