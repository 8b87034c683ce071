import { beforeEach, expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { removeInSteps, type RemovalTarget, type StepOptions } from '#src/removals/remove-entries.ts';
import { makeLists } from '../../support/make-entries.ts';

const COUNT = 1_200;
let db: Database;
let targets: RemovalTarget[];
const remove = (options: Partial<StepOptions> = {}) =>
  removeInSteps(db, targets, { signal: new AbortController().signal, onStep: () => {}, ...options });
const count = (table: string): number =>
  db.statement<number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;

beforeEach(async () => {
  const proofs = { private: false, items: [{ text: 'dowód' }] };
  db = await makeLists({ scammers: Array.from({ length: COUNT }, () => ({ proofs })) });
  db.connection.pragma('synchronous = OFF');
  targets = db
    .statement<RemovalTarget>(
      "SELECT row, list, entry_id, chat_id, 'appeal' AS reason_code, 5 AS at FROM entries ORDER BY row",
    )
    .all();
});

it('removals leave tombstones, and nothing else, in the order of the change log', async () => {
  expect(await remove({ by: 'ewa' })).toEqual({ conflicts: [], count: COUNT });
  for (const table of ['entries', 'contents', 'published', 'proof_items', 'proof_changes'])
    expect(count(table), table).toBe(0);
  for (const table of ['tombstones WHERE id_hash IS NOT NULL', 'removals', "change_notes WHERE by = 'ewa'"])
    expect(count(table), table).toBe(COUNT);
  const removed =
    "SELECT entry_id FROM removals JOIN changes USING (entry_id) WHERE change = seq AND op = 'removed' ORDER BY removal";
  expect(db.statement(removed).pluck().all()).toEqual(targets.map(({ entry_id }) => entry_id));
});

it('removals let others write between two steps, and leave what these change', async () => {
  using other = openDatabase(db.path, 'write');
  other.connection.pragma('busy_timeout = 0');
  const [changed, renamed] = [targets.at(-1), targets.at(-2)].map((entry) => entry as RemovalTarget);
  targets = targets.map((entry) => ({ ...entry, comparedAtSeq: readLogHead(db).seq }));
  let steps = 0;
  const { conflicts } = await remove({
    onStep: () => {
      steps += 1;
      if (steps > 1) return;
      other.statement('UPDATE entries SET chat_id = 1 WHERE row = ?').run(renamed?.row);
      other.statement("INSERT INTO changes (at, op, list, entry_id) VALUES (1, 'updated', 'scammers', ?)").run(changed?.entry_id); // prettier-ignore
    },
  });
  expect(steps).toBeGreaterThan(1);
  expect(conflicts.map(({ row }) => row)).toEqual([renamed?.row, changed?.row]);
  expect(count('entries')).toBe(2);
  expect(count('tombstones')).toBe(COUNT - 2);
});

it('removals end between two steps, and go on later', async () => {
  const stop = new AbortController();
  const { count: done } = await remove({ signal: stop.signal, onStep: () => stop.abort() });
  expect(done).toBeLessThan(COUNT);
  expect(count('tombstones')).toBe(done);
  expect((await remove()).conflicts).toHaveLength(done);
  expect(count('tombstones')).toBe(COUNT);
  expect(count("changes WHERE op = 'removed'")).toBe(COUNT);
});
