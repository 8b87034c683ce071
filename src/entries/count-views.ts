/**
 * Counts views (SPEC 4.1): a proofs page, the page of an entry, or a list page for one ID, counts once per entry, visitor and hour. A crash
 * loses counts of the last FLUSH_MS.
 */
import { hash, randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { param, type Database } from '../db/database.ts';
import { entryIdOf } from './entry-identity.ts';
import { LIST_KINDS } from './entry.ts';
import { parseListQuery } from './list-query.ts';
import { publicEntries } from './public-entry.ts';
import { buildViews, openViews, viewsPath } from './views-file.ts';
import { HOUR_MS } from '../text/calendar.ts';

const FLUSH_MS = 5_000;
/** Beyond this, the oldest visits may count again. */
const VISITS_MAX = 100_000;
const SALT_BYTES = 32;

type View = Readonly<Record<'path' | 'query' | 'address' | 'agent', string>>;

/** Some phones and applications have a name with a word by which isbot knows bots. */
const PHONE = /\(Linux; (?:U; )?Android [^)]*/;
const SCANNER = /scan/gi;

/** @returns false for programs, of which some name themselves and some have no name */
function isBrowser(agent: string): boolean {
  if (!/^(?:Mozilla|Opera)\//.test(agent)) return false;
  return !isbot(agent.replace(PHONE, '(Linux; Android 10; K').replace(SCANNER, ''));
}

const ENTRY_PAGE = /^\/wpis\/(.+)$/;
const PROOFS_PAGE = /^\/proofs\/([0-9a-f]{32})$/;

export function createViewCounter(
  db: Database,
  { now, onFailure }: { readonly now: () => number; readonly onFailure: (error: unknown) => void },
) {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  /** Time of each counted visit, oldest first. Keys are salted hashes, so no address is stored. */
  const visits = new Map<string, number>();
  const counts = new Map<string, number>();
  let file: Database | undefined;

  const isNew = (address: string, entryId: string): boolean => {
    const at = now();
    const visit = hash('sha256', `${salt} ${address} ${entryId}`, 'base64url').slice(0, 16);
    const last = visits.get(visit);
    if (last !== undefined && at - last < HOUR_MS) return false;
    visits.delete(visit);
    visits.set(visit, at);
    for (const [oldest, since] of visits) {
      if (visits.size <= VISITS_MAX && at - since < HOUR_MS) break;
      visits.delete(oldest);
    }
    return true;
  };

  const flush = (): void => {
    if (counts.size === 0) return;
    try {
      file ??= openViews(viewsPath(db.path));
      file.assertInPlace();
      file.write((tx) => {
        for (const [entry_id, count] of counts)
          tx.run(buildViews.insertInto('counts').values({ entry_id, count }));
      });
      counts.clear();
    } catch (error) {
      file?.close();
      file = undefined;
      onFailure(error);
    }
  };

  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    count: ({ path, query, address, agent }: View): void => {
      try {
        const entryId = findEntryId(db, path, query);
        if (entryId !== undefined && isBrowser(agent) && isNew(address, entryId))
          counts.set(entryId, (counts.get(entryId) ?? 0) + 1);
      } catch (error) {
        onFailure(error);
      }
    },
    flush,
    close(): void {
      clearInterval(timer);
      flush();
      file?.close();
    },
  };
}

function findEntryId(db: Database, path: string, query: string): string | undefined {
  const proofsId = PROOFS_PAGE.exec(path)?.[1];
  if (proofsId !== undefined) return db.first(OF_PROOFS, { proofsId })?.entry_id;
  const reportId = ENTRY_PAGE.exec(path)?.[1];
  if (reportId !== undefined) return db.first(OF_ENTRY, { entryId: entryIdOf(reportId) })?.entry_id;
  const list = LIST_KINDS.find((kind) => path === `/${kind}`);
  if (list === undefined || !query.includes('id=')) return undefined;
  const { id } = parseListQuery(new URLSearchParams(query)).query;
  return id === undefined ? undefined : db.first(OF_LIST, { id, list })?.entry_id;
}

const shown = publicEntries.select('entry_id');
const OF_PROOFS = shown.where('proofs_id', '=', param('proofsId')).where('proofs', '=', 'public').compile();
const OF_ENTRY = shown.where('entry_id', '=', param('entryId')).compile();
const OF_LIST = shown.where('entries.chat_id', '=', param('id')).where('list', '=', param('list')).compile();
