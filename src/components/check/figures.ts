import type { ListKind } from '#src/entries/entry.ts';

/** Numbers of the whole service. */
export interface Figures {
  /** Public ones. */
  readonly entries: readonly { readonly list: ListKind; readonly count: number }[];
  /** When the newest confirmed report was made, epoch milliseconds; undefined when there is none, or nobody knows. */
  readonly confirmedAt: number | undefined;
}
