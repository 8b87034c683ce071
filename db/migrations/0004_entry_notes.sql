-- Private notes of moderators, which `entry show` alone shows.
CREATE TABLE entry_notes (
  note INTEGER PRIMARY KEY AUTOINCREMENT,
  row INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  by TEXT,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX entry_notes_by_row ON entry_notes (row);
