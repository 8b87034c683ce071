-- removed.ndjson says by its last line how far it is, and the nightly VACUUM runs whether or not something has changed.
DELETE FROM properties WHERE key IN ('removals_written', 'vacuumed');
