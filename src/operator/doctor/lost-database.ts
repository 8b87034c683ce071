/** A database that was deleted or replaced under running processes, which have the only whole copy of it. */
import { closeSync, globSync, openSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findRealPath } from '../../backups/check-backup-folder.ts';
import type { Config } from '../../config.ts';
import { identifyFile } from '../../db/database.ts';
import { wrong, type Found } from './finding.ts';

/** Other SQLite files of the service, and copies that it makes. */
const OTHERS = /\/(?:search|views|undo)\.db|\/\.(?:part|restore)-|\.lock$|-(?:wal|shm|journal)$/;
const SQLITE = 'SQLite format 3';
const ACCESS_BITS = 0o3;

export function findLostDatabase({ databasePath }: Config): Found[] {
  const path = join(findRealPath(dirname(databasePath)), basename(databasePath));
  const open = listOpenFiles();
  const current = identifyFile(databasePath);
  const inPlace = new Set(open.filter(({ id }) => id === current).map(({ pid }) => pid));
  // The WAL keeps its name when the database is moved.
  const wals = open.filter(({ name, pid }) => name === `${path}-wal` && !inPlace.has(pid));
  const users = new Set(wals.map(({ pid }) => pid));
  const found = open.filter(
    (file) => users.has(file.pid) && !OTHERS.test(file.name) && isDatabase(file.path),
  );
  const named = found.filter(({ name }) => name === path);
  const lost = named.length > 0 ? named : found;
  // The supervisor ends a worker that is stopped for half a minute; the web process, which only reads, stays.
  const source = lost.find(({ isWritten }) => !isWritten) ?? lost[0];
  const wal = wals.find(({ pid }) => pid === source?.pid);
  if (!source || !wal) return [];
  const pids = (files: typeof open): string => [...new Set(files.map(({ pid }) => pid))].join(' ');
  const writers = pids(lost.filter(({ isWritten }) => isWritten));
  const signal = (name: string): string[] => (writers === '' ? [] : [`kill -${name} ${writers}`]);
  const saved = join(dirname(databasePath), 'czujka-saved.db');
  const commands = [
    `mkdir -p ${dirname(saved)}`,
    ...signal('STOP'),
    `cp ${source.path} ${saved}`,
    `cp ${wal.path} ${saved}-wal`,
    ...signal('CONT'),
  ];
  const save = `Save the file first, as the user of the service:\n${commands.map((line) => `  ${line}\n`).join('')}`;
  const place =
    `when DATABASE_PATH=${saved} czujka doctor calls the database whole, stop the service, ` +
    `mv ${saved} ${databasePath} && mv ${saved}-wal ${databasePath}-wal, and start it`;
  const deleted = `${databasePath} was deleted or moved, and only the processes ${pids(lost)} still have it`;
  if (current === undefined)
    return [wrong(deleted, `do not stop or restart anything. ${save}Then, ${place}`)];
  const says = `${databasePath} was replaced, and the processes ${pids(lost)} still use the file from before, with what was written since`;
  const todo = `do not restart the service yet. ${save}Then restart it, if the file in its place is the right one; otherwise, ${place}`;
  return [wrong(says, todo)];
}

/**
 * Processes of other users are left out, and all of them where there is no /proc.
 * @returns `path` reads a file although it has no name; `name` is that by which it was opened, or was given since
 */
function listOpenFiles() {
  return globSync('/proc/[0-9]*/fd/*').flatMap((path) => {
    try {
      const name = readlinkSync(path).replace(/ \(deleted\)$/, '');
      if (!name.startsWith('/') || !statSync(path).isFile()) return [];
      const [, flags = '0'] =
        /^flags:\s+(\d+)$/m.exec(readFileSync(path.replace('/fd/', '/fdinfo/'), 'utf8')) ?? [];
      const isWritten = (Number.parseInt(flags, 8) & ACCESS_BITS) !== 0;
      return [{ path, pid: path.split('/')[2] ?? '', id: identifyFile(path), name, isWritten }];
    } catch {
      // The process has ended, or is another user's.
      return [];
    }
  });
}

/** @returns false also for a file of a process that has ended */
function isDatabase(path: string): boolean {
  const bytes = Buffer.alloc(SQLITE.length);
  try {
    const file = openSync(path, 'r');
    readSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  } catch {}
  return bytes.toString('latin1') === SQLITE;
}
