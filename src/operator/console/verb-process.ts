/** This runs before the first module of a verb is loaded. */
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const WRITABLE_FOR_OTHERS = 0o022;

/** Saves a third of the processor time, by Node's compile cache, and 15 MB of memory; in an import 90 MB. */
export function prepareVerbProcess(): void {
  // New objects of a verb are garbage soon: collecting them more often takes no longer.
  setFlagsFromString('--semi-space-growth-factor=1');
  if (getCompileCacheDir() !== undefined) return;
  // Not $HOME: runuser leaves that of root.
  const folder = makeOwnFolder(userInfo().homedir);
  if (folder !== undefined) enableCompileCache(folder);
}

/** Node runs the files in it as they are. @returns undefined where another account may write, or without a home */
export function makeOwnFolder(home: string): string | undefined {
  let folder = home;
  try {
    if (!isOwn(folder)) return undefined;
    for (const name of ['.cache', 'czujka']) {
      folder = join(folder, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isOwn(folder)) return undefined;
    }
  } catch {
    return undefined;
  }
  return folder;
}

function isOwn(folder: string): boolean {
  // A link may lead elsewhere.
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid?.() && (mode & WRITABLE_FOR_OTHERS) === 0;
}
