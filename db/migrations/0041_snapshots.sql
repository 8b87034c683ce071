-- The entries of a list by _id: a chunk of the snapshots is a range of them.
CREATE INDEX entries_by_id ON entries (list, entry_id, verified);
