/**
 * What the change log tells and the serving file does not hold yet: which of its entries were removed or changed. Entries
 * that were added wait for the worker.
 */
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { findStoredEntry } from '../entries/read-entry.ts';
import { findPlaced } from './follow-entries.ts';
import { passes } from './orders.ts';
import type { ListFilters, OrderView } from './orders.ts';
import { makeReady } from './ready-entry.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { ofDatabase } from './serving-file.ts';

/** Changes looked at in one step. */
const STEP = 500;

export class Behind {
  /** The change up to which everything is known. */
  seq: number;
  /** By row of the file: the entry as it is now; undefined when it is gone. */
  readonly #changed = new Map<number, ReadyEntry | undefined>();
  readonly #views = new Map<OrderView, OrderView>();

  /** @param seq of the file */
  constructor(seq: number) {
    this.seq = seq;
  }

  /** @returns whether everything is known up to this change */
  catchUp(main: Database, file: Database, newest: number): boolean {
    const rows = ofDatabase(() =>
      main
        .statement<{ seq: number; entry_id: string }>(
          "SELECT seq, entry_id FROM changes WHERE seq > ? AND seq <= ? AND op != 'added' ORDER BY seq LIMIT ?",
        )
        .all(this.seq, newest, STEP),
    );
    for (const entryId of new Set(rows.map(({ entry_id }) => entry_id))) {
      const placed = findPlaced(file, entryId);
      if (!placed) continue;
      const stored = ofDatabase(() => findStoredEntry(main, entryId));
      this.#changed.set(
        placed.row,
        stored?.row === placed.row ? makeReady(placed.row, stored.entry) : undefined,
      );
      this.#views.clear();
    }
    const isDone = rows.length < STEP;
    this.seq = isDone ? newest : (rows.at(-1)?.seq ?? newest);
    return isDone;
  }

  has(row: number): boolean {
    return this.#changed.has(row);
  }

  /** As it is now; undefined when it is gone, or not changed. */
  find(row: number): ReadyEntry | undefined {
    return this.#changed.get(row);
  }

  /** The order without entries that are gone or that the filters do not leave any more. */
  narrow(view: OrderView, list: ListKind, filters: ListFilters): OrderView {
    if (this.#changed.size === 0) return view;
    let narrowed = this.#views.get(view);
    if (!narrowed) {
      const dropped = new Set<number>();
      for (const [row, ready] of this.#changed) {
        if (!ready || !passes(list, filters, ready.flags)) dropped.add(row);
      }
      narrowed = dropped.size === 0 ? view : view.without((row) => dropped.has(row));
      this.#views.set(view, narrowed);
    }
    return narrowed;
  }
}
