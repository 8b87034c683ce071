/** The lock that install.sh holds while it changes versions: what a verb wrote then could be lost. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { VerbError } from './outcome.ts';

const OWN_FOLDER = realpathSync(join(import.meta.dirname, '../../..'));

/** @param link to the installed version; undefined without one @returns releases the shared lock @throws {VerbError} */
export function lockInstalledVersion(link: string | undefined): () => void {
  if (link === undefined) return () => {};
  const folder = openSync(`${link}-versions`, 'r');
  try {
    // The lock belongs to the open folder, and so to this process when flock has ended.
    const { status } = spawnSync('flock', ['--shared', '--nonblock', '3'], {
      stdio: ['ignore', 'ignore', 'inherit', folder],
    });
    if (status !== 0) throw new VerbError('busy', 'install.sh is running: try again when it has ended');
    if (realpathSync(link) !== OWN_FOLDER)
      throw new VerbError('busy', 'another version was installed: start the command again', {
        restart: true,
      });
    return () => closeSync(folder);
  } catch (error) {
    closeSync(folder);
    throw error;
  }
}
