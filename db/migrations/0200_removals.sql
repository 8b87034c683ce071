-- What was withdrawn, so that a backup which is restored brings none of it back (src/changes/removals.ts). No texts.
CREATE TABLE removals (
  -- In order of what happened.
  removal INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  list TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  -- `entry`: removed; `returned`: added again under the same report number after that; `reason`: its text was replaced;
  -- `proofs`: some or all were removed; `private`: its proofs were made private.
  what TEXT NOT NULL CHECK (what IN ('entry', 'returned', 'reason', 'proofs', 'private')),
  -- Why an entry was removed.
  reason_code TEXT,
  -- The newest change at that moment, and the log that it belongs to: a backup that has this change knows of the removal.
  history TEXT NOT NULL,
  change INTEGER NOT NULL
) STRICT;
-- Only the newest of a kind counts in each log: a backup of an earlier log is told by the removals of that one.
CREATE UNIQUE INDEX removals_newest ON removals (entry_id, what, history);

INSERT INTO removals (at, list, entry_id, what, reason_code, history, change)
SELECT removed_at, list, entry_id, 'entry', reason_code, (SELECT value FROM properties WHERE key = 'history'),
  coalesce((SELECT max(seq) FROM changes WHERE changes.entry_id = tombstones.entry_id), 0)
FROM tombstones ORDER BY removed_at;
