/** A removed entry stays removed, in any order of events and after any restore. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { makeBackup } from '#src/backups/make-backup.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { LOST_REASON } from '#src/removals/apply-removals.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { openAppeal, upholdAppeal } from '#src/entries/write-appeal.ts';
import { listPublicByChatId, parseSummary } from '#src/entries/public-entry.ts';
import type { ChangeOrigin, Withdrawal } from '#src/entries/entry-row.ts';
import { listTombstones } from '#src/removals/tombstones.ts';
import { writeOneRecord } from '#src/entries/write-entry.ts';
import { restoreDatabase } from '#src/operator/restore.ts';
import { readRemovedKey } from '#src/removals/removed-key.ts';
import { updateRemovedFile } from '#src/removals/removed-file.ts';
import { removeEntry } from '../support/change-log.ts';
import { makeFolder } from '../support/temporary-database.ts';
import { trials } from '../support/trials.ts';

const IDS = ['100', '200'];
const LIST = 'scammers';

interface Shown {
  readonly reason: string;
  readonly proofs: 'none' | 'public' | 'private';
  readonly texts: readonly string[];
  /** The note of the newest appeal, as mirrors see it. */
  readonly note?: string | null | undefined;
}

/** By chat ID, what a database says. */
type Lists = ReadonlyMap<string, Shown>;

const id = fc.constantFrom(...IDS);
const VERBS = ['add', 'reason', 'redact', 'remove', 'appeal', 'addProof', 'removeProof', 'private'] as const;
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom(...VERBS), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('backup' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** No backup has the entry. */
const ADDED_AND_REMOVED: Step[] = [
  { do: 'backup' },
  { do: 'add', id: '200' },
  { do: 'remove', id: '200' },
  { do: 'restore', which: 0 },
];

function read(db: Database): Lists {
  const rows = db
    .statement<{ id: string; row: number; reason: string; proofs: Shown['proofs'] }>(
      'SELECT chat_id AS id, row, reason, proofs FROM entries JOIN contents USING (row)',
    )
    .all();
  const texts = db.statement<{ text: string }>(
    'SELECT text FROM proof_items WHERE row = ? ORDER BY position',
  );
  return new Map(
    rows.map(({ id: chatId, row, reason, proofs }) => [
      chatId,
      {
        reason,
        proofs,
        texts: texts.all(row).map(({ text }) => text),
        note: listPublicByChatId(db, chatId).map(({ card }) => parseSummary(card).appeal?.note)[0],
      },
    ]),
  );
}

it('brings nothing back that was withdrawn, and nothing else is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const folder = makeFolder();
      const config = parseConfig({ DATABASE_PATH: join(folder, 'czujka.db') });
      /** Texts that nobody may see again. */
      const withdrawn = new Set<string>();
      /** Reasons that were replaced; those of an entry that was then redacted or removed need not come back. */
      const replaced = new Map<string, string[]>(IDS.map((chatId) => [chatId, []]));
      const excused = new Set<string>();
      /** Proofs that nobody may see in public again. */
      const hidden = new Set<string>();
      /** Chat IDs of people who were removed, and not added again. */
      const removed = new Set<string>();
      const backups: { readonly path: string; readonly lists: Lists }[] = [];
      let texts = 0;
      const fresh = (): string => `text number ${(texts += 1)}`;

      const work = async (run: (db: Database) => Promise<unknown>): Promise<void> => {
        using db = await openOperatorDatabase(config.databasePath);
        await run(db);
        updateRemovedFile(db);
      };
      const write = (
        db: Database,
        chatId: string,
        { reason, proofs, texts: items }: Shown,
        recordedWithdrawals: readonly Withdrawal[] = [],
        origin: ChangeOrigin = 'edit',
      ): Promise<void> => {
        const record = {
          id: chatId,
          name: `name ${chatId}`,
          verified: true,
          // Always the same: who is added again is the same entry.
          reportId: `R-${chatId}`,
          reason,
          proofs: { private: proofs === 'private', items: items.map((text) => ({ text })) },
        };
        return writeOneRecord(db, LIST, () => ({ record }), {
          recordedWithdrawals,
          origin,
          erasesNotes: origin === 'redaction',
        });
      };

      const change = async (db: Database, { do: verb, id: chatId }: Extract<Step, { id: string }>) => {
        const before = read(db).get(chatId);
        if (verb === 'add') {
          removed.delete(chatId);
          if (!before) await write(db, chatId, { reason: fresh(), proofs: 'none', texts: [] });
          return;
        }
        if (!before) return;
        const proofs = before.proofs === 'none' ? 'public' : before.proofs;
        if (verb === 'redact' || verb === 'remove') {
          for (const text of [before.reason, ...before.texts, before.note ?? ''])
            if (text !== LOST_REASON) withdrawn.add(text);
          for (const text of replaced.get(chatId) ?? []) excused.add(text);
        }
        if (verb === 'reason') {
          replaced.get(chatId)?.push(before.reason);
          await write(db, chatId, { ...before, reason: fresh() });
        } else if (verb === 'redact') {
          const shown: Shown = { reason: fresh(), proofs: 'none', texts: [] };
          await write(db, chatId, shown, ['reason', 'proofs'], 'redaction');
        } else if (verb === 'appeal') {
          const actor = { by: undefined, now: Date.now() };
          const reportId = `R-${chatId}`;
          db.write((tx) => {
            openAppeal(tx, reportId, actor);
            upholdAppeal(tx, reportId, actor, fresh());
          });
        } else if (verb === 'remove') {
          removed.add(chatId);
          removeEntry(db, LIST, chatId, 'appeal', Date.now());
        } else if (verb === 'addProof') {
          await write(db, chatId, { ...before, proofs, texts: [...before.texts, fresh()] }, ['proofs']);
        } else if (verb === 'removeProof' && before.texts.length > 0) {
          withdrawn.add(before.texts[0] ?? '');
          await write(db, chatId, { ...before, texts: before.texts.slice(1) }, ['proofs']);
        } else if (verb === 'private' && before.texts.length > 0) {
          for (const text of before.texts) hidden.add(text);
          await write(db, chatId, { ...before, proofs: 'private' }, ['proofs']);
        }
      };

      await work(async (db) => change(db, { do: 'add', id: '100' }));
      for (const each of steps) {
        if (each.do === 'backup') {
          await work(async (db) => {
            const path = join(folder, `backup-${backups.length}`);
            await makeBackup({ databasePath: db.path, folder: path, now: Date.now() });
            backups.push({ path, lists: read(db) });
          });
        } else if (each.do === 'restore') {
          const backup = backups[each.which % Math.max(1, backups.length)];
          if (!backup) continue;
          await restoreDatabase(config, backup.path, { approve: () => {}, skipAddresses: 0 });
          using db = openDatabase(config.databasePath, 'read');
          const now = read(db);
          for (const shown of now.values()) {
            expect(withdrawn).not.toContain(shown.reason);
            if (shown.note) expect(withdrawn).not.toContain(shown.note);
            for (const text of shown.texts) expect(withdrawn).not.toContain(text);
            if (shown.proofs === 'public') for (const text of shown.texts) expect(hidden).not.toContain(text);
          }
          for (const chatId of removed)
            expect(listTombstones(db, readRemovedKey(db.path), LIST, chatId)).toHaveLength(1);
          // What the backup has and nobody withdrew is back.
          for (const [chatId, was] of backup.lists)
            if (was.reason !== LOST_REASON && !withdrawn.has(was.reason) && !excused.has(was.reason))
              expect(now.get(chatId)?.reason).toBe(was.reason);
        } else {
          await work((db) => change(db, each));
        }
      }
    }),
    { numRuns: trials(4, 25), endOnFailure: true, examples: [[ADDED_AND_REMOVED]] },
  );
}, 300_000);
