-- Images of public proofs, as they are served; what happened to the proofs of an entry; booked batches of views.

-- Pictures made of an original, in some sizes and two formats. Only originals of public proofs have any; the files lie
-- in proofs/public/ beside the database, named by their own SHA-256.
CREATE TABLE proof_images (
  original_sha256 TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('avif', 'webp')),
  -- SHA-256 (hex) of the picture's bytes.
  sha256 TEXT NOT NULL,
  PRIMARY KEY (original_sha256, width, format)
) STRICT, WITHOUT ROWID;
CREATE INDEX proof_images_by_sha256 ON proof_images (sha256);
-- Who uses a file.
CREATE INDEX proof_items_by_file ON proof_items (file_sha256) WHERE file_sha256 IS NOT NULL;

-- What became of an entry's proofs, for its history: how many there were and who might see them. No texts.
CREATE TABLE proof_changes (
  change INTEGER PRIMARY KEY,
  entry_id TEXT NOT NULL,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  proofs TEXT NOT NULL CHECK (proofs IN ('none', 'public', 'private')),
  items INTEGER NOT NULL
) STRICT;
CREATE INDEX proof_changes_by_entry ON proof_changes (entry_id);

-- Batches of views that are booked while their file is still there: none is counted twice.
CREATE TABLE view_batches (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
