-- What is shown is stored as it is shown, and what is derived is keyed by a row number that is never given twice.
-- entry_flags, entry_card and entry_json are functions of src/entries/published.ts.

ALTER TABLE entries RENAME TO old_entries;
ALTER TABLE contents RENAME TO old_contents;
ALTER TABLE proof_items RENAME TO old_proof_items;
DROP INDEX entries_by_entry_id;
DROP INDEX entries_by_proofs_id;
DROP INDEX entries_by_chat_id;
DROP INDEX entries_by_content;
DROP INDEX proof_items_by_file;

CREATE TABLE entries (
  -- It never leaves the database: everything public is named by entry_id, report_id or proofs_id.
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  list TEXT NOT NULL CHECK (list IN ('scammers', 'servers', 'legit')),
  -- SPEC `_id`.
  entry_id TEXT NOT NULL,
  -- SPEC `reportId`; never changes once given.
  report_id TEXT NOT NULL,
  -- SPEC `proofsId`; NULL exactly when there are no proofs.
  proofs_id TEXT,
  -- Private proofs have an ID too; their page shows none of them.
  proofs TEXT NOT NULL DEFAULT 'none' CHECK (proofs IN ('none', 'public', 'private')),
  -- SPEC `id`: the ID on the chat platform.
  chat_id TEXT NOT NULL,
  name TEXT NOT NULL,
  verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
  -- Epoch milliseconds.
  reported_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  views INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
  CHECK ((proofs_id IS NULL) = (proofs = 'none'))
) STRICT;
INSERT INTO entries
SELECT row, list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at, views
FROM old_entries ORDER BY row;
-- entry_id is a hash of report_id (src/entries/entry-identity.ts): its index keeps report numbers apart too.
CREATE UNIQUE INDEX entries_by_entry_id ON entries (entry_id);
CREATE UNIQUE INDEX entries_by_proofs_id ON entries (proofs_id) WHERE proofs_id IS NOT NULL;
-- One entry a chat ID and list; finds by ID when something is written.
CREATE UNIQUE INDEX entries_by_chat_id ON entries (chat_id, list);

-- Markdown of the reasons as the operator gave it. Apart, so that walking the entries stays cheap.
CREATE TABLE contents (
  row INTEGER PRIMARY KEY REFERENCES entries (row) ON DELETE CASCADE,
  reason TEXT NOT NULL
) STRICT;
INSERT INTO contents SELECT row, reason FROM old_entries JOIN old_contents USING (content) ORDER BY row;

-- Proofs in their order. An item has at least one of text, url and file.
CREATE TABLE proof_items (
  row INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT,
  text_html TEXT,
  url TEXT,
  -- SHA-256 (hex) of the file's bytes; the bytes lie in proofs/originals/ beside the database.
  file_sha256 TEXT,
  -- Name that the operator's file had.
  file_name TEXT,
  caption TEXT,
  PRIMARY KEY (row, position),
  CHECK (text IS NOT NULL OR url IS NOT NULL OR file_sha256 IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO proof_items
SELECT row, position, text, text_html, url, file_sha256, file_name, caption
FROM old_entries JOIN old_proof_items USING (content) ORDER BY row, position;
-- Who uses a file.
CREATE INDEX proof_items_by_file ON proof_items (file_sha256) WHERE file_sha256 IS NOT NULL;

-- Public entries as they are shown. A row is there exactly while the entry is public: an unverified entry of the
-- trusted list is not.
CREATE TABLE published (
  row INTEGER PRIMARY KEY REFERENCES entries (row) ON DELETE CASCADE,
  -- The list in two bits, then verified, has proofs, has private proofs.
  flags INTEGER NOT NULL,
  chat_id TEXT NOT NULL,
  -- What a row of a list page shows, as a JSON array.
  card TEXT NOT NULL,
  -- SPEC 2.1, as the API sends it. Long ones lie on pages of their own.
  json TEXT NOT NULL
) STRICT;
INSERT INTO published
SELECT row, entry_flags(list, verified, proofs), chat_id,
  entry_card(list, verified, proofs, entry_id, name, chat_id, proofs_id, report_id, reported_at, updated_at, desc_html),
  entry_json(entry_id, name, chat_id, desc_html, verified, proofs_id, report_id)
FROM old_entries JOIN old_contents USING (content)
WHERE list != 'legit' OR verified = 1 ORDER BY row;
CREATE INDEX published_by_chat_id ON published (chat_id);

DROP TABLE old_proof_items;
DROP TABLE old_entries;
DROP TABLE old_contents;

-- The sorted orders of the lists, in pieces; see src/lists/list-indexes.ts. An empty piece is past the end.
CREATE TABLE list_indexes (
  -- Number of the list and the order.
  ord INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- Of the last write that changed it.
  version INTEGER NOT NULL,
  -- Row numbers with flags, 32 bits each.
  elements BLOB NOT NULL,
  -- Folded names of these rows, a line each; only in the orders by views.
  names BLOB,
  PRIMARY KEY (ord, piece)
) STRICT;
CREATE INDEX list_indexes_by_version ON list_indexes (version);

-- Hashes that names share with those that look like them; see 0304.
CREATE TABLE shapes (
  shape INTEGER NOT NULL,
  is_reported INTEGER NOT NULL,
  -- Of a whole key: a number for the folded name. Of a part: the rest of the key, a text.
  told ANY NOT NULL,
  row INTEGER NOT NULL REFERENCES published (row) ON DELETE CASCADE,
  PRIMARY KEY (shape, is_reported, told, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX shapes_by_row ON shapes (row);

-- Marks of what an earlier version has worked off.
DELETE FROM properties WHERE key IN ('contents_visits', 'free_space_overwritten');

-- The planner's samples are rows of indexes: IDs and names. Nothing takes new ones.
DROP TABLE IF EXISTS sqlite_stat1;
DROP TABLE IF EXISTS sqlite_stat4;
