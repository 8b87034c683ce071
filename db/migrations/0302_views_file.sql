-- Views come from views.db (src/entries/views-file.ts) in place of files whose names stood here.
DROP TABLE view_batches;
DELETE FROM properties WHERE key = 'views_booked_at';
