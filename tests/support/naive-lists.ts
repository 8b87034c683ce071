/** The oracle: SPEC 4.1 and 4.2 over plain arrays, written without a look at the real thing. */
import type { ImportRecordInput } from '#src/entries/import-record.ts';

export interface NaiveEntry extends ImportRecordInput {
  readonly _id: string;
  readonly reportedAt: number;
  readonly views: number;
  readonly visibleText: string;
}

export interface NaiveQuery {
  readonly search?: string;
  readonly id?: string;
  readonly sort?: string;
  readonly status?: string;
  readonly proofs?: string;
  readonly skip?: number;
  readonly limit?: number;
}

const collator = new Intl.Collator('pl');
const byId = (a: NaiveEntry, b: NaiveEntry): number => (a._id < b._id ? -1 : 1);
const newest = (a: NaiveEntry, b: NaiveEntry): number => b.reportedAt - a.reportedAt || byId(a, b);
const popular = (a: NaiveEntry, b: NaiveEntry): number => b.views - a.views || newest(a, b);
const az = (a: NaiveEntry, b: NaiveEntry): number => collator.compare(a.name, b.name) || byId(a, b);

export function naiveList(
  entries: readonly NaiveEntry[],
  list: string,
  query: NaiveQuery,
): { ids: string[]; total: number } {
  const { sort = 'newest', status = 'all', proofs = 'all', skip = 0, limit = 30 } = query;
  const found = entries
    .filter((entry) => list !== 'legit' || entry.verified)
    .filter((entry) => list === 'legit' || status === 'all' || entry.verified === (status === 'verified'))
    .filter((entry) => proofs !== 'with' || hasProofs(entry))
    .filter((entry) => proofs !== 'private' || entry.proofs?.private === true)
    .filter((entry) => {
      if (query.id !== undefined) return entry.id === query.id;
      return query.search === undefined || matches(entry, query.search);
    });
  const orders: Readonly<Record<string, () => NaiveEntry[]>> = {
    newest: () => found.sort(newest),
    oldest: () => found.sort(newest).reverse(),
    popular: () => found.sort(popular),
    popular_asc: () => found.sort(popular).reverse(),
    az: () => found.sort(az),
    za: () => found.sort(az).reverse(),
  };
  const ordered = orders[sort]?.();
  if (!ordered) throw new Error(`no such sort: ${sort}`);
  return { ids: ordered.slice(skip, skip + limit).map((entry) => entry._id), total: found.length };
}

export function naiveCheck(entries: readonly NaiveEntry[], search: string): string[] {
  const wanted = naiveFold(search);
  if (wanted === '') return [];
  const place = (entry: NaiveEntry): number => {
    const name = naiveFold(entry.name);
    if (entry.id === search) return 0;
    if (name === wanted) return 1;
    return name.startsWith(wanted) ? 2 : 3;
  };
  return entries
    .filter((entry) => entry.id === search || naiveFold(entry.name).includes(wanted))
    .sort((a, b) => place(a) - place(b) || popular(a, b))
    .slice(0, 20)
    .map((entry) => entry._id);
}

function matches(entry: NaiveEntry, search: string): boolean {
  const wanted = naiveFold(search);
  return (
    wanted !== '' &&
    [entry.name, entry.id, entry.visibleText].some((text) => naiveFold(text).includes(wanted))
  );
}

function hasProofs(entry: NaiveEntry): boolean {
  return entry.proofs !== undefined && (entry.proofs.private || entry.proofs.items.length > 0);
}

/** The fold of the search, character by character. */
export function naiveFold(text: string): string {
  const letters: Record<string, string> = {
    ł: 'l',
    đ: 'd',
    ø: 'o',
    ħ: 'h',
    ı: 'i',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
  };
  return [...text.normalize('NFKC').toLowerCase().normalize('NFD')]
    .filter((character) => !/\p{M}|\p{Default_Ignorable_Code_Point}/u.test(character))
    .map((character) => letters[character] ?? character)
    .join('');
}
