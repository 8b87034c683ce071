/** A list index in the worker's memory, and how entries come and go in it. Only chunks that change are taken apart. */
import { CHUNK_BYTES_MAX, CHUNK_ENTRIES, CHUNK_ENTRIES_MAX, idNumber } from './chunk.ts';
import type { ChunkTables, Extent } from './chunk.ts';
import { matches } from './index-key.ts';
import type { IndexKey } from './index-key.ts';
import { compareIn } from './ordered-entries.ts';
import type { FreshEntry, Item, OrderKeys, Place } from './ordered-entries.ts';

/** As it lies in a file. */
export interface Chunk {
  readonly extent: Extent;
  readonly tables: ChunkTables;
}

/** Not written yet. */
interface Draft {
  items: Item[];
}

export type Slot = Chunk | Draft;

export interface HeldIndex {
  readonly key: IndexKey;
  /** Entries that the filters leave. */
  total: number;
  /** In the order of the list; each holds at least one entry. */
  slots: Slot[];
}

/** Gives the JSON of a chunk. */
type ReadJson = (extent: Extent) => Buffer;

export function heldPlaces({ slots }: HeldIndex): number {
  return slots.reduce((sum, slot) => sum + sizeOf(slot), 0);
}

/** After all drafts have been written. */
export function slotExtents(slots: readonly Slot[]): Extent[] {
  return slots.map((slot) => (slot as Chunk).extent);
}

/** @returns whether it was there */
export function removeEntry(index: HeldIndex, entryId: string, readJson: ReadJson): boolean {
  const id = idNumber(entryId);
  for (let at = 0; at < index.slots.length; at += 1) {
    const slot = index.slots[at] as Slot;
    const found =
      'extent' in slot ? slot.tables.ids.indexOf(id) : slot.items.findIndex((item) => item.id === id);
    if (found < 0) continue;
    const { items } = toDraft(index, at, readJson);
    // The numbers of two IDs may be the same.
    const place = items.findIndex((item) => item.id === id && item.json.includes(`{"_id":"${entryId}"`));
    if (place < 0) continue;
    items.splice(place, 1);
    if (items.length === 0) index.slots.splice(at, 1);
    return true;
  }
  return false;
}

/**
 * Puts an entry where it belongs, if the filters leave it.
 * @param wasWhole the index held all that its filters leave: what comes after the last place belongs to it too
 * @param keysAt keys of an entry by its row; views are taken as the index knows them
 * @returns whether it has a place
 */
export function applyEntry(
  index: HeldIndex,
  fresh: FreshEntry,
  wasWhole: boolean,
  keysAt: (row: number) => OrderKeys,
  readJson: ReadJson,
): boolean {
  const { key, slots } = index;
  if (!matches(key, fresh)) return false;
  const isBefore = ({ row, views }: { row: number; views: number }): boolean =>
    compareIn(key.sort, { ...keysAt(row), views }, fresh) < 0;
  // The last slot whose first entry comes before this one.
  let low = 0;
  let high = slots.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isBefore(placeAt(slots[middle] as Slot, 0))) low = middle;
    else high = middle;
  }
  const slot = slots[low];
  if (!slot) {
    if (!wasWhole) return false;
    slots.push({ items: [fresh] });
    return true;
  }
  let from = 0;
  let to = sizeOf(slot);
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(placeAt(slot, middle))) from = middle + 1;
    else to = middle;
  }
  const isBehindAll = low === slots.length - 1 && from === sizeOf(slot);
  if (isBehindAll && !wasWhole) return false;
  toDraft(index, low, readJson).items.splice(from, 0, fresh);
  return true;
}

/** Drops whole slots behind the places that are worth holding. */
export function trimPlaces(index: HeldIndex, placesHeld: number): void {
  let held = heldPlaces(index);
  for (;;) {
    const last = index.slots.at(-1);
    if (!last || held - sizeOf(last) < placesHeld) return;
    held -= sizeOf(last);
    index.slots.pop();
  }
}

/** Smaller chunks are not worth keeping when an index is brought into another order. */
const CHUNK_ENTRIES_MIN = 16;

/**
 * Brings an index into another order; chunks that hold what belongs there stay as they are.
 * @returns whether anything changed
 */
export function resequence(
  index: HeldIndex,
  places: readonly Place[],
  itemOf: (row: number) => Item,
): boolean {
  if (isInOrder(index, places)) return false;
  const byFirst = new Map(index.slots.map((slot) => [placeAt(slot, 0).row, slot]));
  const slots: Slot[] = [];
  let items: Item[] = [];
  const flush = (): void => {
    if (items.length > 0) slots.push({ items });
    items = [];
  };
  for (let at = 0; at < places.length;) {
    const slot = byFirst.get((places[at] as Place).row);
    if (slot && sizeOf(slot) >= CHUNK_ENTRIES_MIN && holds(slot, places, at)) {
      flush();
      slots.push(slot);
      at += sizeOf(slot);
    } else {
      const { row } = places[at] as Place;
      items.push(itemOf(row));
      at += 1;
    }
  }
  flush();
  index.slots = slots;
  return true;
}

function isInOrder({ slots }: HeldIndex, places: readonly Place[]): boolean {
  let at = 0;
  for (const slot of slots) {
    if (!holds(slot, places, at)) return false;
    at += sizeOf(slot);
  }
  return at === places.length;
}

function holds(slot: Slot, places: readonly Place[], from: number): boolean {
  const size = sizeOf(slot);
  if (from + size > places.length) return false;
  for (let at = 0; at < size; at += 1) {
    const held = placeAt(slot, at);
    const place = places[from + at] as Place;
    if (held.row !== place.row || held.views !== place.views) return false;
  }
  return true;
}

export interface CutChunk {
  readonly json: Buffer[];
  readonly tables: ChunkTables;
  readonly entries: number;
}

/** Cuts entries into chunks of about the same size. */
export function cutDrafts(items: readonly Item[]): CutChunk[] {
  const parts: Item[][] = [];
  const bytes = items.reduce((sum, { json }) => sum + json.length, 0);
  const fits = items.length <= CHUNK_ENTRIES_MAX && bytes <= CHUNK_BYTES_MAX;
  let part: Item[] = [];
  let partBytes = 0;
  for (const item of items) {
    const isFull = part.length >= CHUNK_ENTRIES || partBytes + item.json.length > CHUNK_BYTES_MAX;
    if (!fits && isFull && part.length > 0) {
      parts.push(part);
      part = [];
      partBytes = 0;
    }
    part.push(item);
    partBytes += item.json.length;
  }
  if (part.length > 0) parts.push(part);
  return parts.map(toChunk);
}

function toChunk(items: readonly Item[]): CutChunk {
  const ends = new Uint32Array(items.length);
  let end = 0;
  for (const [at, { json }] of items.entries()) {
    end += json.length;
    ends[at] = end;
  }
  return {
    entries: items.length,
    json: items.map(({ json }) => json),
    tables: {
      ids: Float64Array.from(items, ({ id }) => id),
      views: Float64Array.from(items, ({ views }) => views),
      ends,
      rows: Uint32Array.from(items, ({ row }) => row),
    },
  };
}

function sizeOf(slot: Slot): number {
  return 'extent' in slot ? slot.extent.entries : slot.items.length;
}

function placeAt(slot: Slot, at: number): Place {
  if (!('extent' in slot)) return slot.items[at] as Item;
  return { row: slot.tables.rows[at] as number, views: slot.tables.views[at] as number };
}

/** Takes the slot apart, unless it is already. */
function toDraft(index: HeldIndex, at: number, readJson: ReadJson): Draft {
  const slot = index.slots[at] as Slot;
  if (!('extent' in slot)) return slot;
  const { ids, views, ends, rows } = slot.tables;
  const json = readJson(slot.extent);
  const draft: Draft = {
    items: Array.from(ends, (end, place) => ({
      row: rows[place] as number,
      id: ids[place] as number,
      views: views[place] as number,
      json: json.subarray(place === 0 ? 0 : ends[place - 1], end),
    })),
  };
  index.slots[at] = draft;
  return draft;
}
