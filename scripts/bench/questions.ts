/** The paths that the cases ask for, drawn from the entries of the database; the same seed draws the same ones. */
import { sqlBuilder, param, type Database } from '#src/db/database.ts';
import { PROOFS_FILTERS, SKIP_MAX, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { Random } from '../sample/random.ts';

export type Draw = (db: Database, random: Random) => string[];

/** Different questions of a case. A round asks few of them twice. */
const COUNTS = { ids: 40_000, lists: 80_000, nicks: 160_000, searches: 2_000 };
const PIECE_LETTERS = 20;

/** @returns a piece of the text, 1 to 20 characters long, as a parameter */
function pickPiece(random: Random, text: string): string {
  const letters = [...text.toWellFormed()];
  const from = random.below(Math.max(1, letters.length - PIECE_LETTERS));
  const piece = letters.slice(from, from + 1 + random.below(PIECE_LETTERS)).join('');
  return encodeURIComponent(piece.trim() || 'a');
}

function drawEntries(db: Database, random: Random, count: number) {
  const last =
    db.first(sqlBuilder.selectFrom('entries').select(({ fn }) => fn.max('row').as('row')))?.row ?? 0;
  const next = sqlBuilder
    .selectFrom('entries')
    .innerJoin('contents', 'contents.row', 'entries.row')
    .select(['chat_id as id', 'name', 'reason'])
    .where('entries.row', '>=', param('row'))
    .where('list', '=', 'scammers')
    .orderBy('entries.row')
    .limit(1)
    .compile();
  const rows = Array.from({ length: count }, () => db.first(next, { row: 1 + random.below(last) }));
  return rows.filter((row) => row !== undefined);
}

/** @param path what the ID is appended to */
export function byId(path: string): Draw {
  return (db, random) => drawEntries(db, random, COUNTS.ids).map(({ id }) => path + encodeURIComponent(id));
}

/** Pieces of nicknames, most of them with a number that makes them unlike every entry's; each once. */
export function byNick(db: Database, random: Random): string[] {
  const entries = drawEntries(db, random, COUNTS.ids);
  const nicks = Array.from({ length: COUNTS.nicks }, (_, at) => {
    const piece = pickPiece(random, random.pick(entries).name);
    return `/api/check?search=${piece}${random.chance(0.5) ? '' : at}`;
  });
  return [...new Set(nicks)];
}

/** @param path of the list or its page */
export function randomLists(path: string): Draw {
  return (_db, random) =>
    Array.from({ length: COUNTS.lists }, () => {
      const filters = `status=${random.pick(STATUSES)}&proofs=${random.pick(PROOFS_FILTERS)}`;
      return `${path}?sort=${random.pick(SORTS)}&${filters}&skip=${random.below(SKIP_MAX)}`;
    });
}

/** Rare and common pieces of names and reasons, with a random order and filter. */
export function searches(db: Database, random: Random): string[] {
  return drawEntries(db, random, COUNTS.searches).map(({ name, reason }) => {
    const piece = pickPiece(random, `${name} ${reason}`);
    return `/api/scammers?search=${piece}&sort=${random.pick(SORTS)}&status=${random.pick(STATUSES)}`;
  });
}
