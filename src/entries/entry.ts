/**
 * An entry of one of the three lists (SPEC 1 and 2.1). staging-session.ts imports entries, staging-tables.ts
 * writes them, public-entry.ts reads what is shown, and snapshots/ publishes copies for mirrors.
 */
import { z } from 'zod';

export const LIST_KINDS = ['scammers', 'servers', 'legit'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export function parseListKind(name: string): ListKind | undefined {
  return LIST_KINDS.find((list) => list === name);
}

/** Characters of an ID. */
export const ID_MAX = 64;
/** Characters of a typed name. */
export const SEARCH_MAX = 100;

/** `hijacked`: a stranger writes from the account, and its owner is not to blame. */
export const ACCOUNT_STATES = ['own', 'hijacked'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** `private`: proofs exist, but their page shows none of them. */
export type ProofsState = 'none' | 'public' | 'private';

export interface Appeal {
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** When it was decided that the entry stays; null while the appeal is open. */
  readonly decidedAt: number | null;
  /** Why it stays; null while the appeal is open, and after a redaction. */
  readonly note: string | null;
}

/** The API sends exactly these keys, in this order. */
export const listEntrySchema = z
  .object({
    _id: z.string().describe('Wewnętrzne ID wpisu.'),
    name: z.string().describe('Nick osoby albo nazwa serwera.'),
    id: z
      .string()
      .describe('ID na platformie. To tekst, bo jako liczba traci ostatnie cyfry i wskazuje kogoś innego.'),
    descHtml: z.string().describe('Co się stało, jako HTML. Oczyść go, zanim wstawisz go na swoją stronę.'),
    verified: z.boolean().describe('`true`: wpis potwierdzony, `false`: zgłoszenie niepotwierdzone.'),
    proofsId: z
      .string()
      .nullable()
      .describe('ID dowodów; ich strona to `/proofs/{proofsId}`. `null`, gdy ich nie ma.'),
    reportId: z.string().describe('Numer zgłoszenia, podawany w odwołaniu.'),
  })
  .meta({ id: 'ListEntry', description: 'Wpis na liście.' });

export type ListEntry = Readonly<z.infer<typeof listEntrySchema>>;

export const listResponseSchema = z
  .object({
    data: z.array(listEntrySchema).describe('Strona wyników.'),
    total: z.int().min(0).describe('Liczba wszystkich pasujących wpisów.'),
    hasMore: z.boolean().describe('Czy za tą stroną są następne.'),
  })
  .meta({ id: 'ListResponse', description: 'Strona listy.' });

export interface PublicSummary extends Omit<ListEntry, 'descHtml'> {
  readonly list: ListKind;
  readonly proofs: ProofsState;
  readonly reportedAt: number;
  readonly verifiedAt: number | null;
  readonly account: AccountState;
  readonly accountSince: number | null;
  readonly updatedAt: number;
  readonly appeal: Appeal | null;
  readonly excerpt: string;
}

export interface PublicEntry extends PublicSummary, ListEntry {
  readonly visibleText: string;
}
