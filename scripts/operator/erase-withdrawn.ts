import type { Database } from '#src/db/database.ts';
import { eraseRemoved, type Erasure } from '#src/worker/erase-removed.ts';
import { note, type Cli } from './cli.ts';

/** Erases withdrawn texts at once. @param done the change, which stays even when erasing fails */
export async function eraseWithdrawn(
  cli: Cli,
  db: Database,
  done: string,
  removedByUndo: Erasure['removed'] = [],
): Promise<void> {
  try {
    await eraseRemoved(db, cli.config.dataFolder, removedByUndo);
  } catch (error) {
    note(cli, `${done}, but not erased everywhere yet (${(error as Error).message}); the worker tries again`);
  }
}
