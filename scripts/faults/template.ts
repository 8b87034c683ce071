/** The database that a trial begins with, and what is asked of it. It is copied, never used itself. */
import { dirname } from 'node:path';
import { openDatabase } from '#src/db/database.ts';
import { getBenchDatabase } from '../bench/bench-database.ts';

export interface Template {
  readonly folder: string;
  readonly knownId: string;
  /** Their answers do not change by what a trial writes. */
  readonly paths: readonly string[];
}

export const TEMPLATE_ENTRIES = 1_000;
let made: Promise<Template> | undefined;

export function getTemplate(): Promise<Template> {
  made ??= make();
  return made;
}

async function make(): Promise<Template> {
  const path = await getBenchDatabase(TEMPLATE_ENTRIES);
  const db = openDatabase(path, 'read');
  const ids = db
    .statement<string>("SELECT chat_id FROM entries WHERE list = 'scammers' ORDER BY row LIMIT 2")
    .pluck()
    .all();
  db.close();
  const [knownId = '', otherId = ''] = ids;
  return {
    folder: dirname(path),
    knownId,
    paths: [
      `/api/check?id=${knownId}`,
      '/api/check?id=100000000000000001',
      '/api/scammers?sort=az&limit=5',
      `/api/check?id=${otherId}`,
      '/scammers?sort=az',
      '/api/scammers?sort=nowhere',
      '/api/nowhere',
    ],
  };
}
