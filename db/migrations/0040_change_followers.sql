-- How far each follower of the change log has come (src/worker/followers.ts), and which history the log belongs to.

CREATE TABLE change_progress (
  follower TEXT PRIMARY KEY,
  -- Value of the property `history` at that time.
  history TEXT NOT NULL,
  -- The last change that it has worked off.
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Names this log of changes. A restored backup goes on with numbers that were given to other changes before, so that it
-- gets a new name: nobody takes the one history for the other.
INSERT INTO properties (key, value) VALUES ('history', lower(hex(randomblob(8))));
