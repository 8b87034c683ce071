-- The three lists, their proofs and the record of every change (SPEC 1 and 2.1).

-- The long texts of an entry: apart, so that walking the entries stays cheap, and never changed once written. An
-- import writes the new ones beforehand in small steps; the transaction that makes them count only changes the
-- reference. What no entry refers to is removed afterwards, at the latest by the worker.
CREATE TABLE contents (
  content INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Markdown as the operator gave it.
  reason TEXT NOT NULL,
  -- SPEC `descHtml`: rendered and sanitized at write time.
  desc_html TEXT NOT NULL,
  -- What a reader sees of desc_html, without tags.
  visible_text TEXT NOT NULL,
  visible_text_folded TEXT NOT NULL
) STRICT;

-- Proofs in their order. An item has at least one of text, url and file.
CREATE TABLE proof_items (
  content INTEGER NOT NULL REFERENCES contents (content) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT,
  text_html TEXT,
  url TEXT,
  -- SHA-256 (hex) of the file's bytes; the bytes lie in proofs/originals/ beside the database.
  file_sha256 TEXT,
  -- Name that the operator's file had.
  file_name TEXT,
  caption TEXT,
  PRIMARY KEY (content, position),
  CHECK (text IS NOT NULL OR url IS NOT NULL OR file_sha256 IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  -- Row number. It never leaves the database: everything public is named by entry_id, report_id or proofs_id.
  row INTEGER PRIMARY KEY,
  list TEXT NOT NULL CHECK (list IN ('scammers', 'servers', 'legit')),
  -- SPEC `_id`.
  entry_id TEXT NOT NULL UNIQUE,
  -- SPEC `reportId`; never changes once given.
  report_id TEXT NOT NULL UNIQUE,
  -- SPEC `proofsId`; NULL exactly when there are no proofs.
  proofs_id TEXT UNIQUE,
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
  -- Place of the name in the Polish alphabet inside its list: labels with gaps; a later migration takes it away.
  -- NULL only inside the transaction that is about to give it.
  az_rank INTEGER,
  -- What searches compare with, made by src/text/fold-text.ts.
  name_folded TEXT NOT NULL,
  chat_id_folded TEXT NOT NULL,
  content INTEGER NOT NULL UNIQUE REFERENCES contents (content),
  CHECK ((proofs_id IS NULL) = (proofs = 'none'))
) STRICT;

-- One entry a chat ID and list; finds by ID (list endpoints' `id`, check, import).
CREATE UNIQUE INDEX entries_by_chat_id ON entries (chat_id, list);
-- Sort orders of SPEC 4.1; each is read in both directions. Where the filters stand at the end, the entries before a
-- page are skipped without a look at the table.
CREATE INDEX entries_newest ON entries (list, reported_at DESC, entry_id, verified, proofs);
CREATE INDEX entries_popular ON entries (list, views DESC, reported_at DESC, entry_id, verified, proofs);
CREATE UNIQUE INDEX entries_az ON entries (list, az_rank);
-- Totals by the filters `status` and `proofs`.
CREATE INDEX entries_by_filter ON entries (list, verified, proofs);

-- Every write of entries, in order. References only, never texts, so that erased text does not live on here.
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('added', 'updated', 'removed')),
  list TEXT NOT NULL,
  entry_id TEXT NOT NULL
) STRICT;
-- The history of one entry.
CREATE INDEX changes_by_entry ON changes (entry_id, seq);

-- What stays of a removed entry: nothing personal.
CREATE TABLE tombstones (
  entry_id TEXT PRIMARY KEY,
  report_id TEXT NOT NULL UNIQUE,
  list TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  reason_code TEXT NOT NULL CHECK (reason_code IN ('appeal', 'mistake', 'request', 'duplicate', 'other'))
) STRICT, WITHOUT ROWID;

-- One row a lease; who holds it may act as the worker. `token` grows with every take-over (fencing).
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  token INTEGER NOT NULL,
  -- Milliseconds of the machine's monotonic clock: a change of the wall clock must not end or stretch a lease.
  expires_at_monotonic INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Facts about the database itself, by key (for example which collation data az_rank was made with).
CREATE TABLE properties (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
