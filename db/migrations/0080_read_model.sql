-- What can be derived from the entries leaves the database: orders, totals and search are made by the read model beside
-- it. What stays are the indexes that writing and finding one entry need.

-- A copy of `entries` that a large import of an earlier version has left when it was killed.
DROP TABLE IF EXISTS entries_next;

DROP TRIGGER entries_count_added;
DROP TRIGGER entries_count_removed;
DROP TRIGGER entries_count_moved;
DROP TABLE entry_counts;

DROP TABLE list_index_files;
DROP TABLE list_index_states;
DROP TABLE list_indexes;

DROP INDEX entries_newest;
DROP INDEX entries_popular;
DROP INDEX entries_az;
DROP INDEX entries_by_id;
-- entry_id is a hash of report_id (src/entries/entry-identity.ts): its unique index keeps report numbers apart too.
DROP INDEX entries_by_report_id;

ALTER TABLE entries DROP COLUMN az_rank;
ALTER TABLE entries DROP COLUMN name_folded;
ALTER TABLE entries DROP COLUMN chat_id_folded;
-- Both follow from desc_html.
ALTER TABLE contents DROP COLUMN visible_text;
ALTER TABLE contents DROP COLUMN visible_text_folded;

DELETE FROM change_progress WHERE follower IN ('list-indexes', 'entry-file', 'name-index');
-- Which collation data az_rank was made with.
DELETE FROM properties WHERE key = 'collation';
