-- When a report was confirmed; NULL where that is unknown.
ALTER TABLE entries ADD COLUMN verified_at INTEGER;
