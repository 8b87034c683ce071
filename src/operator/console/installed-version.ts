/** The lock that install.sh holds while it switches versions: what a verb wrote then could be lost. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../environment.ts';
import { OperatorError } from '../../operator-error.ts';
import { printNotice, type Cli } from './cli.ts';

const OWN_FOLDER = realpathSync(join(import.meta.dirname, '../../..'));
const WAIT_SECONDS = 60;

/**
 * Waits until no version is being switched to, and holds the lock, which verbs share, until the verb ends. Afterwards a
 * verb of the version before goes on, as far as that one reads the database.
 * @throws {OperatorError} when the wait is too long, or this version is gone
 */
export async function lockInstalledVersion(cli: Cli): Promise<void> {
  const { CZUJKA_INSTALLED: link } = readEnvironment(cli.environment);
  if (link === undefined) return;
  const folder = cli.disposables.adopt(openSync(`${link}-versions`, 'r'), closeSync);
  if (await lock(folder, '--nonblock')) return;
  printNotice(cli, 'install.sh is switching versions: waiting for it, for a minute at most');
  if (!(await lock(folder, `--timeout=${WAIT_SECONDS}`)))
    throw new OperatorError('busy', 'install.sh is still switching versions: try again when it has ended');
  if (!existsSync(OWN_FOLDER)) throw anotherVersion();
}

/** For a process that stays. @throws {OperatorError} when another version than this one is installed */
export function checkInstalledVersion(link: string | undefined): void {
  if (link !== undefined && realpathSync(link) !== OWN_FOLDER) throw anotherVersion();
}

function anotherVersion(): OperatorError {
  return new OperatorError('busy', 'another version was installed: start the command again', {
    restart: true,
  });
}

/** The lock belongs to the open folder, and so to this process when flock has ended. */
function lock(folder: number, wait: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    spawn('flock', ['--shared', wait, '3'], { stdio: ['ignore', 'ignore', 'inherit', folder] })
      .on('error', reject)
      .on('close', (code) => resolve(code === 0));
  });
}
