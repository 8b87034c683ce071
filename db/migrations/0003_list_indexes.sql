-- Which bytes of the files in indexes/ beside the database are the first places of each list index.

-- Files that index chunks lie in. Each is written by one process, at its end only.
CREATE TABLE list_index_files (
  file INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Up to which change the indexes of a list are right.
CREATE TABLE list_index_states (
  list TEXT PRIMARY KEY CHECK (list IN ('scammers', 'servers', 'legit')),
  -- The log that `seq` belongs to: the indexes of another history are worth nothing.
  history TEXT NOT NULL,
  seq INTEGER NOT NULL,
  -- Of the property `popularity`, which follows the views.
  popularity TEXT NOT NULL,
  -- Grows with every refresh of any list.
  version INTEGER NOT NULL,
  -- Bytes of entries that were removed up to this change are gone from the files.
  erased_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE list_indexes (
  -- List, status, proofs and sort, separated by spaces.
  key TEXT PRIMARY KEY,
  list TEXT NOT NULL,
  -- Entries that the filters leave, held or not.
  total INTEGER NOT NULL,
  -- The refresh that wrote this row.
  version INTEGER NOT NULL,
  -- Where its chunks lie, in order; see src/entries/list-indexes/chunk.ts.
  chunks BLOB NOT NULL
) STRICT;
