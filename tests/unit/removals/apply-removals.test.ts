import { beforeEach, expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { RETURNED, REDACTION, type RemovalEvent } from '#src/removals/removals.ts';
import type { Database } from '#src/db/database.ts';
import { applyRemovals, LOST_REASON } from '#src/removals/apply-removals.ts';
import { listPublicByChatId, parseSummary } from '#src/entries/public-entry.ts';
import { ERASED_NAME } from '#src/entries/former-names.ts';
import { recordRemoval } from '../../support/change-log.ts';
import { makeLists, NOW } from '../../support/make-entries.ts';

const PUBLIC = { private: false, items: [{ text: 'dowód' }] };
const IDS = { plain: '100000000000000001', public: '100000000000000002', private: '100000000000000003' };
type Which = keyof typeof IDS;

let db: Database;
let names: Record<Which, string>;

beforeEach(async () => {
  const reason = 'Powód.';
  db = await makeLists({
    scammers: [
      { id: IDS.plain, reason },
      { id: IDS.public, reason, proofs: PUBLIC },
      { id: IDS.private, reason, proofs: { ...PUBLIC, private: true } },
    ],
  });
  const [plain = '', open = '', closed = ''] = db
    .statement<string>('SELECT entry_id FROM entries ORDER BY chat_id')
    .pluck()
    .all();
  names = { plain, public: open, private: closed };
});

const apply = (which: Which, kinds: readonly RemovalEvent['what'][], facts: Partial<RemovalEvent> = {}) => {
  const events = kinds.map((what, at): RemovalEvent => {
    const reason_code = what === 'entry' ? 'appeal' : null;
    const event = { what, at: NOW + at, list: 'scammers', entry_id: names[which], reason_code } as const;
    return { ...event, logId: 'another', change: at + 1, ...facts };
  });
  return db.write((tx) => applyRemovals(tx, events, NOW + 100));
};
const select = (which: Which, what: string, table: string) =>
  db
    .statement<Record<string, unknown>>(
      `SELECT ${what} FROM entries JOIN ${table} USING (row) WHERE chat_id = ?`,
    )
    .all(IDS[which]);
const read = (which: Which) => select(which, 'name, reason, proofs', 'contents')[0];

it.each<[RemovalEvent['what'][], Partial<RemovalEvent>, number, (string | null)[]]>([
  [['name'], {}, 1, ['powód']],
  [['name'], { reason_code: REDACTION }, 0, [null]],
  [['private'], { reason_code: REDACTION }, 0, [null]],
  [['proofs'], {}, 1, ['powód']],
  // An earlier version redacted.
  [['reason'], {}, 0, [null]],
  [['entry', RETURNED], {}, 0, []],
])('leaves of notes after %j %j: %i, of appeals %j', (kinds, facts, left, appeals) => {
  db.connection.exec(
    "INSERT INTO appeals (row, opened_at, decided_at, note) SELECT row, 1, 2, 'powód' FROM entries",
  );
  db.connection.exec("INSERT INTO entry_notes (row, at, text) SELECT row, 1, 'x' FROM entries");
  apply('private', kinds, facts);
  expect(select('private', 'note', 'entry_notes')).toHaveLength(left);
  expect(select('private', 'appeals.note', 'appeals')).toEqual(appeals.map((note) => ({ note })));
  const shown = listPublicByChatId(db, IDS.private).map((entry) => parseSummary(entry.card).appeal?.note);
  expect(shown).toEqual([appeals[0]]);
});

it.each<[Which, RemovalEvent['what'][], object | undefined, number]>([
  ['plain', ['entry'], undefined, 0],
  ['plain', ['reason'], { reason: LOST_REASON, proofs: 'none' }, 0],
  ['plain', ['proofs'], { reason: 'Powód.', proofs: 'none' }, 0],
  ['plain', ['private'], { reason: 'Powód.', proofs: 'none' }, 0],
  ['public', ['private'], { reason: 'Powód.', proofs: 'private' }, 1],
  ['public', ['proofs'], { reason: 'Powód.', proofs: 'none' }, 0],
  ['public', ['private', 'proofs'], { reason: 'Powód.', proofs: 'none' }, 0],
  ['plain', ['name', 'reason'], { name: ERASED_NAME, reason: LOST_REASON, proofs: 'none' }, 0],
  ['private', ['private'], { reason: 'Powód.', proofs: 'private' }, 1],
  ['private', ['proofs'], { reason: 'Powód.', proofs: 'none' }, 0],
  // Added again: without what it had before.
  ['public', ['entry', RETURNED], { reason: LOST_REASON, proofs: 'none' }, 0],
  ['public', ['entry', RETURNED, 'entry'], undefined, 0],
])('of an entry with %s proofs: %j', (which, kinds, expected, items) => {
  apply(which, kinds);
  if (expected) expect(read(which)).toMatchObject(expected);
  else expect(read(which)).toBeUndefined();
  expect(select(which, 'text', 'proof_items')).toHaveLength(items);
  for (const other of ['plain', 'public', 'private'] as const)
    if (other !== which) expect(read(other)).toMatchObject({ reason: 'Powód.' });
});

it.each<[Which, RemovalEvent['what'][], ...(keyof ReturnType<typeof apply>)[]]>([
  ['public', ['reason', 'private'], 'reasonsRedacted', 'proofsMadePrivate'],
  // Once for proofs that were made private and then removed.
  ['public', ['private', 'proofs'], 'proofsRemoved'],
  ['plain', ['private', 'proofs']],
  ['private', ['entry'], 'removed'],
])('of an entry with %s proofs, %j, stands in the report by what it withdrew', (which, kinds, ...parts) => {
  for (const [part, entries] of Object.entries(apply(which, kinds)))
    expect(entries, part).toEqual(parts.some((each) => each === part) ? [names[which]] : []);
});

it('leaves the reason for which an entry went, and another one where that is unknown', () => {
  apply('plain', ['entry'], { reason_code: 'appeal' });
  apply('public', ['entry'], { reason_code: 'of a later version' });
  const reasons = db.statement('SELECT reason_code FROM removals ORDER BY removal').pluck().all();
  expect(reasons).toEqual(['appeal', 'other']);
});

it('changes nothing when the entry is not there, or the database knows of the removal', () => {
  const { logId, seq } = readLogHead(db);
  recordRemoval(db, { at: NOW, list: 'scammers', entry_id: names.plain, what: 'entry', reason_code: null });
  expect(apply('plain', ['entry'], { entry_id: 'nobody' }).removed).toEqual([]);
  expect(apply('plain', ['entry'], { logId, change: seq }).removed).toEqual([]);
  expect(read('plain')).toMatchObject({ reason: 'Powód.' });
});
