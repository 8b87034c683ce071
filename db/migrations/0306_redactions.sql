-- A name can be withdrawn, too (`entry edit --redact`); what was erased is known by the numbers of removals.
CREATE TABLE removals_new (
  -- In order of what happened.
  removal INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  list TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  -- `entry`: removed; `returned`: added again under the same report number after that; `name`, `reason`: redacted;
  -- `proofs`: some or all were removed; `private`: its proofs were made private.
  what TEXT NOT NULL CHECK (what IN ('entry', 'returned', 'name', 'reason', 'proofs', 'private')),
  -- Why an entry was removed.
  reason_code TEXT,
  -- The newest change at that moment, and the log that it belongs to: a backup that has this change knows of the removal.
  history TEXT NOT NULL,
  change INTEGER NOT NULL
) STRICT;
INSERT INTO removals_new SELECT removal, at, list, entry_id, what, reason_code, history, change FROM removals ORDER BY removal;
-- Numbers are never given twice.
DELETE FROM sqlite_sequence WHERE name = 'removals_new';
UPDATE sqlite_sequence SET name = 'removals_new' WHERE name = 'removals';
DROP TABLE removals;
ALTER TABLE removals_new RENAME TO removals;
-- Only the newest of a kind counts in each log: a backup of an earlier log is told by the removals of that one.
CREATE UNIQUE INDEX removals_newest ON removals (entry_id, what, history);

INSERT INTO properties (key, value)
SELECT 'erased_removal', coalesce((SELECT max(removal) FROM removals
    WHERE history = (SELECT value FROM properties WHERE key = 'history')
      AND change <= CAST(erased.value AS INTEGER)), 0)
FROM properties AS erased WHERE key = 'erased_through';
DELETE FROM properties WHERE key = 'erased_through';

-- Who made a change, and which fields of the entry it changed; operators see it, nothing public reads it.
CREATE TABLE change_notes (
  seq INTEGER PRIMARY KEY REFERENCES changes ON DELETE CASCADE,
  -- NULL when it is not known.
  by TEXT,
  -- Names of the import format, separated by spaces; NULL for an entry that was added or removed.
  fields TEXT
) STRICT;

-- Imports, so that one can be taken back; what they replaced lies in undo.db, which no backup has.
CREATE TABLE imports (
  import INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Names its rows in undo.db.
  key TEXT NOT NULL UNIQUE,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  list TEXT NOT NULL,
  -- Its changes in the change log.
  first_change INTEGER NOT NULL,
  last_change INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;

-- By what a removed ID is known again: HMAC-SHA-256 with the key in removed.key. NULL for those removed before this version.
ALTER TABLE tombstones ADD COLUMN id_hash TEXT;
CREATE INDEX tombstones_by_id_hash ON tombstones (id_hash) WHERE id_hash IS NOT NULL;
