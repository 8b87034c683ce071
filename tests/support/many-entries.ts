/** Many entries at once, past rendering and importing: for tests in which only their number matters. */
import type { Database } from '#src/db/database.ts';
import { entryIdOf, proofsIdOf } from '#src/entries/entry-identity.ts';
import { MIGRATION_FUNCTIONS } from '#src/entries/published.ts';
import { NOW } from './make-entries.ts';

/** Fills the empty scammers list; one in three is on the risk list, one in four has proofs, half of them private. */
export function insertManyEntries(db: Database, count: number): void {
  const { connection } = db;
  connection.function('entry_id_of', { deterministic: true }, (reportId) => entryIdOf(String(reportId)));
  connection.function('proofs_id_of', { deterministic: true }, (reportId) => proofsIdOf(String(reportId)));
  for (const [name, run] of Object.entries(MIGRATION_FUNCTIONS))
    connection.function(name, { varargs: true }, run as (...values: unknown[]) => unknown);
  db.write(() => {
    connection.exec(`
      CREATE TEMP TABLE numbers AS
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n;
      INSERT INTO entries (list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at,
          views)
        SELECT 'scammers', entry_id_of('R-' || i), 'R-' || i,
          CASE WHEN i % 4 = 0 THEN proofs_id_of('R-' || i) END,
          CASE i % 8 WHEN 0 THEN 'private' WHEN 4 THEN 'public' ELSE 'none' END,
          '1' || printf('%017d', i), 'nick ' || (i * 7907) % 100003, i % 3 > 0, ${NOW} - (i * 7901) % 99991,
          ${NOW}, (i * 31) % 1009
        FROM temp.numbers;
      INSERT INTO contents (row, reason) SELECT row, 'Powód ' || row FROM entries;
      INSERT INTO published (row, flags, chat_id, card, json)
        SELECT row, entry_flags(list, verified, proofs), chat_id,
          entry_card(list, verified, proofs, entry_id, name, chat_id, proofs_id, report_id, reported_at, updated_at, html),
          entry_json(entry_id, name, chat_id, html, verified, proofs_id, report_id)
        FROM (SELECT *, '<p>Powód ' || row || printf('%200c', ' ') || '</p>' AS html FROM entries);
      DROP TABLE temp.numbers;
    `);
  });
}
