-- Hashes that names share with those that look like them, by a name that says so; see src/lists/look-alike-hashes.ts.
ALTER TABLE shapes RENAME TO look_alike_hashes;
ALTER TABLE look_alike_hashes RENAME COLUMN shape TO hash;
-- With the hash of a whole key: a checksum of the folded name. With the hash of a part: the rest of the key, a text.
ALTER TABLE look_alike_hashes RENAME COLUMN told TO detail;
DROP INDEX shapes_by_row;
CREATE INDEX look_alike_hashes_by_row ON look_alike_hashes (row);
UPDATE properties SET value = replace(value, '"shapesSeq":', '"hashesSeq":') WHERE key = 'list_indexes';
