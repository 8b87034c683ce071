-- Cheaper writes and exact totals.
-- The table is made again because SQLite cannot drop what UNIQUE in a column made: each index now has a name, so that a
-- large import can make it once at its end instead of touching it in every row.

CREATE TABLE entries_new (
  -- Row number. It never leaves the database: everything public is named by entry_id, report_id or proofs_id.
  row INTEGER PRIMARY KEY,
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
  -- Place of the name in the Polish alphabet inside its list: labels with gaps; a later migration takes it away.
  -- NULL only inside the transaction that is about to give it.
  az_rank INTEGER,
  -- What searches compare with, made by src/text/fold-text.ts.
  name_folded TEXT NOT NULL,
  chat_id_folded TEXT NOT NULL,
  content INTEGER NOT NULL REFERENCES contents (content),
  CHECK ((proofs_id IS NULL) = (proofs = 'none'))
) STRICT;

INSERT INTO entries_new
SELECT row, list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at, views,
  az_rank, name_folded, chat_id_folded, content
FROM entries;

DROP TABLE entries;
ALTER TABLE entries_new RENAME TO entries;

CREATE UNIQUE INDEX entries_by_entry_id ON entries (entry_id);
CREATE UNIQUE INDEX entries_by_report_id ON entries (report_id);
CREATE UNIQUE INDEX entries_by_proofs_id ON entries (proofs_id) WHERE proofs_id IS NOT NULL;
-- One entry a chat ID and list; finds by ID (list endpoints' `id`, check, import).
CREATE UNIQUE INDEX entries_by_chat_id ON entries (chat_id, list);
-- Removing a content asks whether an entry refers to it.
CREATE UNIQUE INDEX entries_by_content ON entries (content);
-- Sort orders of SPEC 4.1; each is read in both directions. The filters stand at the end, so that the entries before a
-- page are skipped, and whole orders walked, without a look at the table.
CREATE INDEX entries_newest ON entries (list, reported_at DESC, entry_id, verified, proofs);
CREATE INDEX entries_popular ON entries (list, views DESC, reported_at DESC, entry_id, verified, proofs);
CREATE INDEX entries_az ON entries (list, az_rank, verified, proofs);

-- Totals by the filters `status` and `proofs`: kept by the triggers below, so that nobody counts.
CREATE TABLE entry_counts (
  list TEXT NOT NULL,
  verified INTEGER NOT NULL,
  proofs TEXT NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (list, verified, proofs)
) STRICT, WITHOUT ROWID;

INSERT INTO entry_counts
SELECT list, verified, proofs, count(*) FROM entries GROUP BY list, verified, proofs;

CREATE TRIGGER entries_count_added AFTER INSERT ON entries BEGIN
  INSERT INTO entry_counts VALUES (NEW.list, NEW.verified, NEW.proofs, 1)
  ON CONFLICT DO UPDATE SET entries = entries + 1;
END;

CREATE TRIGGER entries_count_removed AFTER DELETE ON entries BEGIN
  UPDATE entry_counts SET entries = entries - 1
  WHERE list = OLD.list AND verified = OLD.verified AND proofs = OLD.proofs;
END;

CREATE TRIGGER entries_count_moved AFTER UPDATE OF list, verified, proofs ON entries
WHEN (OLD.list, OLD.verified, OLD.proofs) IS NOT (NEW.list, NEW.verified, NEW.proofs) BEGIN
  UPDATE entry_counts SET entries = entries - 1
  WHERE list = OLD.list AND verified = OLD.verified AND proofs = OLD.proofs;
  INSERT INTO entry_counts VALUES (NEW.list, NEW.verified, NEW.proofs, 1)
  ON CONFLICT DO UPDATE SET entries = entries + 1;
END;
