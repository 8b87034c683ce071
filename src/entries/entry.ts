/**
 * An entry of one of the three lists (SPEC 1 and 2.1). import-session.ts brings entries in, write-staged-entries.ts is the
 * one place that writes them, list-query.ts, check-query.ts and verdict.ts say what can be asked about them, and snapshots/
 * gives them to mirrors. What is shown of them is read
 * from published.ts.
 */
import type { ListEntry } from './entry-schema.ts';

export type { ListEntry } from './entry-schema.ts';

export const LIST_KINDS = ['scammers', 'servers', 'legit'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Undefined when there is no such list. */
export function parseListKind(name: string): ListKind | undefined {
  return LIST_KINDS.find((list) => list === name);
}

/** `private`: proofs exist and have an ID, but their page shows none of them. */
export type ProofsState = 'none' | 'public' | 'private';

/** The public facts that a row of a list shows: the beginning of the reason instead of all of it. */
export interface EntrySummary extends Omit<ListEntry, 'descHtml'> {
  readonly list: ListKind;
  readonly proofs: ProofsState;
  /** Epoch milliseconds. */
  readonly reportedAt: number;
  readonly updatedAt: number;
  /** Beginning of the visible reason, on one line. */
  readonly excerpt: string;
}

/** All that pages show of an entry. */
export interface Entry extends EntrySummary, ListEntry {
  /** The reason as a reader sees it, without markup. */
  readonly visibleText: string;
}
