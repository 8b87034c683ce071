/** The oracle of lists and check (SPEC 4.1, 4.2): it reads every row and filters and sorts in the plainest way. */
import type { Database } from '#src/db/database.ts';
import { findAppeal } from '#src/entries/appeals.ts';
import type { PublicEntry, ListKind } from '#src/entries/entry.ts';
import type { EntryRow } from '#src/entries/entry-row.ts';
import type { ListQuery, Sort } from '#src/entries/list-query.ts';
import { foldText } from '#src/text/fold-text.ts';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { visibleText } from '#src/text/visible-text.ts';

/** A public entry, and what places it. */
export interface PlainEntry extends Omit<PublicEntry, 'excerpt'> {
  readonly row: number;
  readonly views: number;
}

/** They are undefined in a database of an earlier version. */
type Later = 'verified_at' | 'account' | 'account_since';
type PlainRow = Omit<EntryRow, Later> & Partial<Pick<EntryRow, Later>> & { readonly reason: string };

const collator = new Intl.Collator('pl');
const byId = (a: PlainEntry, b: PlainEntry): number => (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);
const newest = (a: PlainEntry, b: PlainEntry): number => b.reportedAt - a.reportedAt || byId(a, b);
const popular = (a: PlainEntry, b: PlainEntry): number => b.views - a.views || newest(a, b);
const az = (a: PlainEntry, b: PlainEntry): number => collator.compare(a.name, b.name) || byId(a, b);

const COMPARE: Readonly<Record<Sort, (a: PlainEntry, b: PlainEntry) => number>> = {
  newest,
  oldest: (a, b) => newest(b, a),
  popular,
  popular_asc: (a, b) => popular(b, a),
  az,
  za: (a, b) => az(b, a),
};

/** @returns the page that the query asks for, and the number of entries on all of its pages */
export function listPlainly(
  entries: readonly PlainEntry[],
  list: ListKind,
  query: Partial<ListQuery>,
): { entries: PlainEntry[]; total: number } {
  const { sort = 'newest', status = 'all', proofs = 'all', skip = 0, limit = 30, id, search } = query;
  const found = entries
    .filter(({ verified }) =>
      list === 'legit' ? verified : status === 'all' || verified === (status === 'verified'),
    )
    .filter(({ proofsId }) => proofs !== 'with' || proofsId !== null)
    .filter((entry) => proofs !== 'private' || entry.proofs === 'private')
    .filter((entry) => {
      if (id !== undefined) return entry.id === id;
      return search === undefined || matches(entry, search);
    })
    .sort(COMPARE[sort]);
  return { entries: found.slice(skip, skip + limit), total: found.length };
}

/** The names of SPEC 4.2 in one list: equal ones, those that begin with it, the rest; each by views. */
export function checkPlainly(entries: readonly PlainEntry[], search: string): PlainEntry[] {
  const wanted = foldText(search);
  if (wanted === '') return [];
  const placeOf = ({ name }: PlainEntry): number => {
    const folded = fold(name);
    return folded === wanted ? 1 : folded.startsWith(wanted) ? 2 : folded.includes(wanted) ? 3 : 4;
  };
  return entries
    .filter(({ list, verified }) => list !== 'legit' || verified)
    .map((entry) => ({ entry, place: placeOf(entry) }))
    .filter(({ place }) => place < 4)
    .sort((a, b) => a.place - b.place || popular(a.entry, b.entry))
    .map(({ entry }) => entry);
}

export function holdsName({ name }: PlainEntry, search: string): boolean {
  return fold(name).includes(foldText(search));
}

/** An unverified entry of the trusted list is never served. */
export function readPublic(db: Database, list: ListKind): PlainEntry[] {
  // An earlier version has no such table.
  const hasTable = db.statement("SELECT 1 FROM sqlite_schema WHERE name = 'appeals'").get() !== undefined;
  const hasAppeals = hasTable && db.statement('SELECT 1 FROM appeals').get() !== undefined;
  return db
    .statement<PlainRow>('SELECT * FROM entries JOIN contents USING (row) WHERE list = ?')
    .all(list)
    .filter(({ verified }) => list !== 'legit' || verified === 1)
    .map((row) => ({
      row: row.row,
      _id: row.entry_id,
      name: row.name,
      id: row.chat_id,
      descHtml: htmlOf(row.reason),
      // A hijacked trusted entry is shown as not verified, and is in no list.
      verified: row.verified === 1 && !(list === 'legit' && row.account === 'hijacked'),
      proofsId: row.proofs_id,
      reportId: row.report_id,
      list,
      proofs: row.proofs,
      reportedAt: row.reported_at,
      verifiedAt: row.verified_at ?? null,
      account: row.account ?? 'own',
      accountSince: row.account_since ?? null,
      updatedAt: row.updated_at,
      appeal: hasAppeals ? findAppeal(db, row.row) : null,
      visibleText: visibleTextOf(htmlOf(row.reason)),
      views: row.views,
    }));
}

export function matches(entry: PlainEntry, search: string): boolean {
  const wanted = foldText(search);
  if (wanted === '') return false;
  return [entry.name, entry.id, entry.visibleText].some((text) => fold(text).includes(wanted));
}

/** The same texts are asked about again and again. */
const fold = remember(foldText);
const visibleTextOf = remember(visibleText);
const htmlOf = remember((markdown) => {
  const rendered = renderMarkdown(markdown);
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.html;
});

function remember(convert: (text: string) => string): (text: string) => string {
  const results = new Map<string, string>();
  return (text) => results.getOrInsertComputed(text, convert);
}
