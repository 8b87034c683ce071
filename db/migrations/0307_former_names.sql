-- Names that reported people and servers had before, so that a changed nick does not lose them. Trusted people have none:
-- who takes a nick that one of them gave up must not look trusted.
CREATE TABLE former_names (
  -- Grows: the newest of an entry is the largest.
  former INTEGER PRIMARY KEY,
  row INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (row, name)
) STRICT;
