/** A database of the schema before `published`, with rows in every table that is kept. */
import { createHash } from 'node:crypto';
import { Address } from '@scure/btc-signer';
import { openDatabase, type Database } from '#src/db/database.ts';
import { DONATION_STATUSES } from '#src/donations/donation-status.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { ADDRESS_FORMATS } from '#src/donations/litecoin-network.ts';
import { entryIdOf, proofsIdOf } from '#src/entries/entry-identity.ts';
import { migrateDatabase } from '#src/db/migrate.ts';
import { readState, type State } from './read-model.ts';

const FILL = `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $entries),
    -- Else SQLite would draw the random text of the reason and that of its HTML apart.
    texts AS MATERIALIZED (SELECT i, 'Powód ' || i || ' ' || substr(hex(randomblob(250)), 1, 1 + i % 500) AS reason FROM n)
    INSERT INTO contents (content, reason, desc_html) SELECT i, reason, '<p>' || reason || '</p>' FROM texts;
  INSERT INTO entries (row, list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at,
    views, content)
  SELECT content, CASE content % 3 WHEN 0 THEN 'scammers' WHEN 1 THEN 'servers' ELSE 'legit' END,
    entry_id_of(content), report_id_of(content), CASE WHEN content % 4 > 1 THEN proofs_id_of(content) END,
    CASE content % 4 WHEN 2 THEN 'public' WHEN 3 THEN 'private' ELSE 'none' END, 'id ' || (content / 2),
    substr('aąbcćdeęłńóśźżAĄ', content % 16 + 1, 1) || substr('ółżŹ', content % 4 + 1, 1) || 'nick ' || content,
    content % 5 > 0, content * 1000, content * 1001, content % 7, content
  FROM contents;
  INSERT INTO proof_items
  SELECT content, 0, 'tekst', '<p>tekst</p>', NULL, NULL, NULL, 'podpis' FROM entries WHERE proofs != 'none';
  INSERT INTO proof_items
  SELECT content, 1, NULL, NULL, 'https://example.com/', sha256_of(content), 'a.png', NULL FROM entries WHERE proofs = 'public';
  INSERT INTO changes (at, op, list, entry_id) SELECT reported_at, 'added', list, entry_id FROM entries;
  INSERT INTO changes (at, op, list, entry_id) SELECT updated_at, 'updated', list, entry_id FROM entries WHERE row % 3 = 0;
  INSERT INTO changes (at, op, list, entry_id) SELECT updated_at, 'removed', list, entry_id FROM entries WHERE row % 20 = 0;
  INSERT INTO proof_changes (entry_id, at, proofs, items)
  SELECT entry_id, updated_at, proofs, 1 FROM entries WHERE proofs != 'none';
  INSERT INTO tombstones SELECT entry_id, report_id, list, 5, 'appeal' FROM entries WHERE row % 20 = 0;
  INSERT INTO removals (at, list, entry_id, what, reason_code, history, change)
  SELECT 5, list, entry_id, 'entry', 'appeal', (SELECT value FROM properties WHERE key = 'history'), row
  FROM entries WHERE row % 20 = 0;
  DELETE FROM entries WHERE row % 20 = 0;
  DELETE FROM contents WHERE content % 20 = 0;
  INSERT INTO donation_keys VALUES ('0badcafe', 9);
  INSERT INTO donations (id, network, address, script, key_id, key_index, status, status_since, minimum_litoshi, rate_grosze,
    premium_month_grosze, premium_lifetime_grosze, required_confirmations, created_at, expires_at)
  SELECT 'ltc_' || printf('%016x', key), 'main', address_of(key), script_of(key), '0badcafe', key, value, 1, 2, 3, 4, 5, 6,
    7, 8 FROM json_each($statuses);
  INSERT INTO donation_transitions (donation_id, at, from_status, to_status)
  SELECT id, 9, 'pending', status FROM donations WHERE status != 'pending';
  INSERT INTO donation_payers SELECT id, 'id 7' FROM donations;
  INSERT INTO donation_outputs (tx_id, vout, donation_id, litoshi, first_seen_at, kind)
  SELECT sha256_of(id), 0, id, 10, 11, 'plain' FROM donations WHERE status != 'pending';
  INSERT INTO litecoin_blocks VALUES (100, 'hash');
  INSERT INTO litecoin_rates VALUES (12, 33680, 'source');
  INSERT INTO status_snapshot VALUES (1, 13, '{}');
  INSERT INTO status_samples VALUES (13, 'database', 1, 1);
  INSERT INTO status_periods VALUES (300, 13, 'database', 1, 1, 0, 1, 1);
  INSERT INTO status_streaks VALUES ('database', 1, 1, 13);
  INSERT INTO incidents (part, opened_at, note, updated_at) VALUES ('database', 13, 'uwaga', 14);
`;

const reportIdOf = (content: number): string => `R-${content}`;
const sha256Of = (text: string | number): string => createHash('sha256').update(String(text)).digest('hex');
const addressOf = (key: number): string =>
  Address(ADDRESS_FORMATS.main).encode({ type: 'wpkh', hash: new Uint8Array(20).fill(key) });

/** Functions of FILL: names that a restore accepts. */
const FUNCTIONS: Readonly<Record<string, (value: never) => string>> = {
  report_id_of: reportIdOf,
  entry_id_of: (content: number) => entryIdOf(reportIdOf(content)),
  proofs_id_of: (content: number) => proofsIdOf(reportIdOf(content)),
  sha256_of: sha256Of,
  address_of: addressOf,
  script_of: (key: number) => {
    const parsed = parseLitecoinAddress(addressOf(key), 'main');
    return parsed.ok ? parsed.script : '';
  },
};

/** Makes it at this path. */
export async function makeOldDatabase(path: string, entries: number): Promise<void> {
  const db = openDatabase(path, 'write');
  await migrateDatabase(db, undefined, '0200_removals');
  for (const [name, of] of Object.entries(FUNCTIONS))
    db.connection.function(name, { deterministic: true }, of);
  db.write(() =>
    db.connection.exec(
      FILL.replaceAll('$entries', String(entries)).replaceAll(
        '$statuses',
        `'${JSON.stringify(DONATION_STATUSES)}'`,
      ),
    ),
  );
  db.close();
}

/** The public entries of a database that is not migrated yet. */
export function readOldState(db: Database): State {
  return readState(db, 'content');
}
