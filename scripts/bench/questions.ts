/** What the cases ask: paths drawn from the entries of the database, the same for the same seed. */
import type { Database } from '#src/db/database.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import { visibleText } from '#src/text/visible-text.ts';

/** A small generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

export function randomPages(random: Random, count: number, skipMax: number): string[] {
  return Array.from({ length: count }, () => {
    const skip = Math.floor(random() * skipMax);
    return `/api/scammers?sort=${pick(random, SORTS)}&status=${pick(random, STATUSES)}&proofs=${pick(random, PROOFS_FILTERS)}&skip=${skip}`;
  });
}

/** The same as pages of the site. */
export function randomHtmlPages(random: Random, count: number, skipMax: number, limit = 30): string[] {
  return randomPages(random, count, skipMax).map((path) => `${path.slice('/api'.length)}&limit=${limit}`);
}

/** Searches of one letter, each for another page of what it finds. */
export function letterSearches(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `/api/scammers?search=${LETTERS[at % LETTERS.length]}&skip=${at}`,
  );
}

const LETTERS = 'aeionrzw';

export function randomIds(db: Database, random: Random, count: number): string[] {
  return randomRows(db, random, count).map(({ chat_id }) => encodeURIComponent(chat_id));
}

/**
 * IDs that are on a list, each with the nick of somebody.
 * @param isStrange nicks like nobody's: what a bot asks about nearly everybody
 */
export function randomVerdicts(db: Database, random: Random, count: number, isStrange = false): string[] {
  const ids = randomIds(db, random, count);
  return randomRows(db, random, count)
    .filter(({ name }) => name.isWellFormed())
    .map(({ name }, at) => {
      const strange = `${[...name].slice(0, STRANGE_LETTERS).join('').trim()}${Math.floor(random() * 1e9).toString(36)}`;
      const asked = encodeURIComponent(isStrange ? strange : name);
      return `/api/verdict?id=${ids[at % ids.length] ?? ''}&name=${asked}`;
    });
}

const STRANGE_LETTERS = 5;

/** Nicks and long pieces of nicks, and as many that nobody has: each once. */
export function randomNames(db: Database, random: Random, count: number): string[] {
  const names = new Set<string>();
  for (const { name } of randomRows(db, random, count)) {
    const letters = [...name];
    const from = Math.floor(random() * Math.max(1, letters.length - PIECE_LETTERS));
    const piece = letters
      .slice(from, from + PIECE_LETTERS + Math.floor(random() * 6))
      .join('')
      .trim();
    const asked = random() < 0.5 ? name : piece;
    // The same letters and a number that hardly any name ends with.
    names.add(random() < 0.5 ? asked : `${asked.slice(0, 12)}~${Math.floor(random() * 1e9)}`);
  }
  return [...names].filter((name) => name.isWellFormed()).map(encodeURIComponent);
}

const PIECE_LETTERS = 7;

/** Rare and common pieces of what entries hold, 1 to 20 characters long, with a random order and filter. */
export function randomSearches(db: Database, random: Random, count: number, filters: boolean): string[] {
  const texts = randomRows(db, random, count).map((row) => `${row.name} ${visibleText(row.desc_html)}`);
  return texts.map((text) => {
    const letters = [...text];
    const length = 1 + Math.floor(random() * 20);
    const from = Math.floor(random() * Math.max(1, letters.length - length));
    const search =
      letters
        .slice(from, from + length)
        .join('')
        .trim() || 'a';
    const filter = filters ? `&sort=${pick(random, SORTS)}&status=${pick(random, STATUSES)}` : '';
    return `/api/scammers?search=${encodeURIComponent(search)}${filter}`;
  });
}

function randomRows(db: Database, random: Random, count: number) {
  const last = db.statement<{ row: number }>('SELECT max(row) AS row FROM entries').get()?.row ?? 0;
  const statement = db.statement<{ chat_id: string; name: string; desc_html: string }>(
    `SELECT chat_id, name, desc_html FROM entries JOIN contents USING (content)
     WHERE row >= ? AND +list = 'scammers' ORDER BY row LIMIT 1`,
  );
  return Array.from({ length: count }, () => statement.get(1 + Math.floor(random() * last))).filter(
    (row) => row !== undefined,
  );
}
