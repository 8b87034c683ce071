-- The name of the file, without its folder; NULL for standard input and for earlier imports.
ALTER TABLE imports ADD COLUMN file TEXT;
