-- Appeals against reported entries. The newest of an entry is public; what the appellant wrote is stored nowhere.
CREATE TABLE appeals (
  -- Grows: the newest of an entry is the largest.
  appeal INTEGER PRIMARY KEY,
  row INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
  opened_at INTEGER NOT NULL,
  -- When it was decided that the entry stays; NULL while the appeal is open.
  decided_at INTEGER,
  -- Why it stays, one public line; NULL while the appeal is open, and after a redaction.
  note TEXT,
  CHECK (decided_at IS NOT NULL OR note IS NULL)
) STRICT;
CREATE INDEX appeals_by_row ON appeals (row);
-- At most one open appeal an entry; finds all of them.
CREATE UNIQUE INDEX appeals_open ON appeals (row) WHERE decided_at IS NULL;
