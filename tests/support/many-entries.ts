/** Many entries at once, past rendering and importing: for tests in which only their number matters. */
import type { Database } from '#src/db/database.ts';
import { rankAllNames } from '#src/entries/alphabet-rank.ts';
import { NOW } from './make-entries.ts';

/** Fills the empty scammers list; one in three is on the risk list, one in four has proofs, half of them private. */
export function insertManyEntries(db: Database, count: number): void {
  db.write(() => {
    db.connection.exec(`
      CREATE TEMP TABLE numbers AS
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n;
      INSERT INTO contents (content, reason, desc_html, visible_text, visible_text_folded)
        SELECT i, 'Powód ' || i, '<p>Powód ' || i || printf('%200c', ' ') || '</p>', 'Powód ' || i, 'powod ' || i
        FROM temp.numbers;
      INSERT INTO entries (list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at,
          views, name_folded, chat_id_folded, content)
        SELECT 'scammers', printf('%012x%012x', (i * 7919) % 1000003, i), 'R-' || i,
          CASE WHEN i % 4 = 0 THEN printf('%032x', i) END,
          CASE i % 8 WHEN 0 THEN 'private' WHEN 4 THEN 'public' ELSE 'none' END,
          '1' || printf('%017d', i), 'nick ' || (i * 7907) % 100003, i % 3 > 0, ${NOW} - (i * 7901) % 99991,
          ${NOW}, (i * 31) % 1009, 'nick ' || i, '1' || printf('%017d', i), i
        FROM temp.numbers;
      DROP TABLE temp.numbers;
    `);
  });
  rankAllNames(db);
}
