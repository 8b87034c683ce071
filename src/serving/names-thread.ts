/** The thread in which the web process makes its name index: reading a million names takes a second. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LogHead } from '../changes/log-head.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { foldText } from '../text/fold-text.ts';
import { makeNameTable } from './name-index.ts';
import type { ListedName, NameTable } from './name-index.ts';
import { listOf } from './ready-entry.ts';
import { findState, openToRead } from './serving-file.ts';

export interface NamesOutcome {
  readonly table: NameTable;
  /** The change up to which the names are right. */
  readonly head: LogHead;
}

const { path } = workerData as { path: string };
const db = openToRead(path);
const outcome = db.snapshot((): NamesOutcome => {
  const state = findState(db);
  if (!state) throw new Error('the file cannot be used');
  return { table: makeNameTable(readNames()), head: { history: state.history, seq: state.seq } };
});
db.close();
parentPort?.postMessage(
  outcome,
  Object.values(outcome.table).map((array: NameTable[keyof NameTable]) => array.buffer),
);

function* readNames(): Generator<ListedName> {
  const rows = db.connection
    .prepare<unknown[], [number, number, string]>('SELECT row, flags, name FROM placed')
    .raw()
    .iterate();
  for (const [row, flags, name] of rows) {
    yield { row, list: LIST_KINDS.indexOf(listOf(flags)), folded: foldText(name) };
  }
}
