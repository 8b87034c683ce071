-- Whose hands the account of an entry is in, and since when; NULL where that is unknown.
ALTER TABLE entries ADD COLUMN account TEXT NOT NULL DEFAULT 'own' CHECK (account IN ('own', 'hijacked'));
ALTER TABLE entries ADD COLUMN account_since INTEGER;

-- Only a new table takes one more reason: the owner has the account back.
CREATE TABLE new_tombstones (
  entry_id TEXT PRIMARY KEY,
  report_id TEXT NOT NULL UNIQUE,
  list TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  reason_code TEXT NOT NULL CHECK (
    reason_code IN ('appeal', 'mistake', 'request', 'duplicate', 'recovered', 'other')
  ),
  id_hash TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO new_tombstones SELECT * FROM tombstones;
DROP TABLE tombstones;
ALTER TABLE new_tombstones RENAME TO tombstones;
CREATE INDEX tombstones_by_id_hash ON tombstones (id_hash) WHERE id_hash IS NOT NULL;
CREATE INDEX tombstones_by_report_id ON tombstones (report_id COLLATE NOCASE);

-- Earlier versions would show a hijacked trusted account as trusted.
UPDATE properties SET value = '0006_account' WHERE key = 'oldest_schema';
