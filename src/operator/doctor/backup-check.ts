/** The daily backups: whether there is a new one, and whether they hold what was written. */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { databaseFile, listBackups, proofFile, type BackupFile } from '../../backups/backup-files.ts';
import { isIntact } from '../../backups/compressed-database.ts';
import { dailyShare } from '../../backups/daily-share.ts';
import type { Config } from '../../config.ts';
import { readProofFile } from '../../proofs/read-proof-file.ts';
import { counted } from '../console/outcome.ts';
import { fine, wrong, type Found } from './finding.ts';

/** One backup a day, and an hour for making it. */
const BACKUP_AGE_MAX_MS = 26 * 3_600_000;
/** For databases, and again for images, of which it is not the day's turn. */
const READING_MS = 2_000;
const DISK = 'look at the disk (dmesg, smartctl)';

export async function checkBackups({ backups }: Config, now: number): Promise<Found[]> {
  if (!backups) return [];
  const { folder } = backups;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const says = `BACKUP_FOLDER=${folder} is no folder that is there`;
    return [wrong(says, 'is its disk mounted? Otherwise make it')];
  }
  const made = listBackups(folder);
  const damaged = await listDamaged(folder, made, now);
  const found = damaged.map((name) =>
    wrong(
      `${databaseFile(folder, name)} is damaged: its content is not what was written`,
      `do not restore it; instead of the newest the worker makes another within an hour; ${DISK}`,
    ),
  );
  const { past = [], ahead } = Object.groupBy(made, ({ madeAt }) => (madeAt <= now ? 'past' : 'ahead'));
  if (ahead?.[0]) {
    const says = `${counted(ahead.length, 'backup')} dated in the future, for example ${ahead[0].name}`;
    const todo = 'set the clock; where it is right, the worker deletes them when there are seven others';
    found.push(wrong(says, todo));
  }
  const whole = past.filter(({ name }) => !damaged.includes(name));
  const newest = whole.find(({ manifest }) => manifest.problem === undefined);
  const [refused] = whole;
  if (refused?.manifest.problem !== undefined) {
    const says = `restore would refuse ${databaseFile(folder, refused.name)}: ${refused.manifest.problem}`;
    const kept = newest ? `${newest.name} is the newest that it takes, and is kept; ` : '';
    found.push(wrong(says, `${kept}correct what the sentence names; the next backup looks again`));
  }
  const names = new Set(made.flatMap(({ manifest }) => manifest.proofs));
  const images = Array.from(names, (name) => proofFile(folder, name));
  const copied = `the next backup copies them again from proofs/originals, as far as they are whole there; ${DISK}`;
  found.push(...(await checkImages(images, now, 'that backups refer to cannot be found', copied)));
  const todo = `look into the log of the worker for the job "backup"; is there room in ${folder}?`;
  if (!newest) return [...found, wrong(`there is none in ${folder} that restore takes`, todo)];
  const hours = Math.round((now - newest.madeAt) / 3_600_000);
  const shown = `the newest is ${hours} hours old: ${newest.name}`;
  const isOld = now - newest.madeAt > BACKUP_AGE_MAX_MS;
  return [...found, isOld ? wrong(shown, todo) : fine(shown)];
}

/** @returns names; the newest is read at each call */
async function listDamaged(folder: string, made: readonly BackupFile[], now: number): Promise<string[]> {
  const damaged: string[] = [];
  const newest = made.find(({ madeAt }) => madeAt <= now);
  for (const { item, isRead } of dailyShare(made, ({ manifest }) => manifest.sha256, now, READING_MS)) {
    const file = databaseFile(folder, item.name);
    const hasSize = statSync(file).size === item.manifest.bytes;
    const isWhole = hasSize && (!(isRead || item === newest) || (await isIntact(file, item.manifest.sha256)));
    if (!isWhole) damaged.push(item.name);
  }
  return damaged;
}

/** Reads a part of the images each day. @param paths named by their SHA-256 @param lost what is said of missing ones */
export async function checkImages(
  paths: readonly string[],
  now: number,
  lost: string,
  todo: string,
): Promise<Found[]> {
  const [missing, damaged]: [string[], string[]] = [[], []];
  for (const { item: path, isRead } of dailyShare(paths, (each) => basename(each), now, READING_MS)) {
    if (!existsSync(path)) missing.push(path);
    else if (isRead) {
      const read = await readProofFile(path);
      if (!read.ok || read.sha256 !== basename(path)) damaged.push(path);
    }
  }
  return [
    ...reportImages(missing, lost, todo),
    ...reportImages(damaged, 'with another content than the name (SHA-256) says', todo),
  ];
}

export function reportImages(paths: readonly string[], what: string, todo: string): Found[] {
  if (paths.length === 0) return [];
  return [wrong(`${counted(paths.length, 'original image')} ${what}, for example ${paths[0]}`, todo)];
}
