-- The whole schema of the first version with this file. Later files add to it; see CONTRIBUTING, „A migration".
-- Times are epoch milliseconds. A `row` is the number of an entry in this database: it is never given twice, and never
-- leaves the database, because everything public is named by entry_id, report_id or proofs_id.

-- The database itself ------------------------------------------------------------------------------------------------

-- Facts about the database, by key.
CREATE TABLE properties (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO properties (key, value) VALUES
  -- Names the change log. A restored backup gives numbers again that other changes had before, so it gets a new name.
  ('history', lower(hex(randomblob(8)))),
  -- A version that has this migration may read and write the database, whatever later ones added.
  ('oldest_schema', '0001_schema');

-- Entries (SPEC 1 and 2.1) -------------------------------------------------------------------------------------------

CREATE TABLE entries (
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
  reported_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  views INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
  CHECK ((proofs_id IS NULL) = (proofs = 'none'))
) STRICT;
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

-- Names that reported people and servers had before, so that a changed nick does not lose them. Trusted people have none:
-- who takes a nick that one of them gave up must not look trusted.
CREATE TABLE former_names (
  -- Grows: the newest of an entry is the largest.
  former INTEGER PRIMARY KEY,
  row INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (row, name)
) STRICT;

-- Imports, so that one can be taken back; what they replaced lies in undo.db, which no backup has.
CREATE TABLE imports (
  import INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Names its rows in undo.db.
  key TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  list TEXT NOT NULL,
  -- Its changes in the change log.
  first_change INTEGER NOT NULL,
  last_change INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;

-- What the public sees of entries ------------------------------------------------------------------------------------

-- A row is there exactly while the entry is public: an unverified entry of the trusted list is not.
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
CREATE INDEX published_by_chat_id ON published (chat_id);

-- The sorted orders of the lists, in pieces; see src/lists/list-indexes.ts. An empty piece is past the end.
CREATE TABLE list_indexes (
  -- Number of the list and the order.
  ord INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- The last write that changed it.
  version INTEGER NOT NULL,
  -- Row numbers with flags, 32 bits each.
  elements BLOB NOT NULL,
  -- Folded names of these rows, a line each; only in the orders by views.
  names BLOB,
  PRIMARY KEY (ord, piece)
) STRICT;
CREATE INDEX list_indexes_by_version ON list_indexes (version);

-- Hashes that names share with those that look like them; see src/lists/look-alike-hashes.ts.
CREATE TABLE look_alike_hashes (
  hash INTEGER NOT NULL,
  is_reported INTEGER NOT NULL,
  -- With the hash of a whole key: a checksum of the folded name. With the hash of a part: the rest of the key, a text.
  detail ANY NOT NULL,
  row INTEGER NOT NULL REFERENCES published (row) ON DELETE CASCADE,
  PRIMARY KEY (hash, is_reported, detail, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX look_alike_hashes_by_row ON look_alike_hashes (row);

-- The change log -----------------------------------------------------------------------------------------------------

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

-- Who made a change, and which fields of the entry it changed; operators see it, nothing public reads it.
CREATE TABLE change_notes (
  seq INTEGER PRIMARY KEY REFERENCES changes ON DELETE CASCADE,
  -- NULL when it is not known.
  by TEXT,
  -- Names of the import format, separated by spaces; NULL for an entry that was added or removed.
  fields TEXT,
  -- What made the change: edit, redaction, import, undo, restore or rebuild. NULL when it is not known.
  how TEXT
) STRICT;

-- Removals -----------------------------------------------------------------------------------------------------------

-- What stays of a removed entry: nothing personal.
CREATE TABLE tombstones (
  entry_id TEXT PRIMARY KEY,
  report_id TEXT NOT NULL UNIQUE,
  list TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  reason_code TEXT NOT NULL CHECK (reason_code IN ('appeal', 'mistake', 'request', 'duplicate', 'other')),
  -- By what a removed ID is known again: HMAC-SHA-256 with the key in removed.key. NULL for what was removed before there
  -- was a key.
  id_hash TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_by_id_hash ON tombstones (id_hash) WHERE id_hash IS NOT NULL;

-- What was withdrawn, so that a backup which is restored brings none of it back (src/removals/removals.ts). No texts.
CREATE TABLE removals (
  -- In order of what happened.
  removal INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  list TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  -- `entry`: removed; `returned`: added again under the same report number after that; `name`, `reason`: redacted;
  -- `proofs`: some or all were removed; `private`: its proofs were made private.
  what TEXT NOT NULL CHECK (what IN ('entry', 'returned', 'name', 'reason', 'proofs', 'private')),
  -- Why an entry was removed.
  reason_code TEXT,
  -- The newest change at that moment, and the log that it belongs to: a backup that has this change knows of the removal.
  history TEXT NOT NULL,
  change INTEGER NOT NULL
) STRICT;
-- Only the newest of a kind counts in each log: a backup of an earlier log is told by the removals of that one.
CREATE UNIQUE INDEX removals_newest ON removals (entry_id, what, history);

-- Proofs -------------------------------------------------------------------------------------------------------------

-- Proofs of an entry in their order. An item has at least one of text, url and file.
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
-- Who uses a file.
CREATE INDEX proof_items_by_file ON proof_items (file_sha256) WHERE file_sha256 IS NOT NULL;

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

-- What became of an entry's proofs, for its history: how many there were and who might see them. No texts.
CREATE TABLE proof_changes (
  change INTEGER PRIMARY KEY,
  entry_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  proofs TEXT NOT NULL CHECK (proofs IN ('none', 'public', 'private')),
  items INTEGER NOT NULL
) STRICT;
CREATE INDEX proof_changes_by_entry ON proof_changes (entry_id);

-- Status, its history and incidents (SPEC 2.4 and 4.3) ---------------------------------------------------------------

-- The worker writes them; none of it is a change of the lists. A part is a check or a bot of SPEC 2.4; parts that are not
-- configured have no rows.

-- The newest sample, as the API answers it.
CREATE TABLE status_snapshot (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  checked_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

-- Written at each sample: that writing works is a part of the database's own check.
CREATE TABLE status_write_probe (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at INTEGER NOT NULL,
  -- Milliseconds of the machine's monotonic clock: a wall clock that is set makes the probe neither old nor new.
  at_monotonic INTEGER
) STRICT;

-- Samples summed up by five minutes (kept for a day), hours (90 days) and days in UTC (a year). In order of time, so that
-- a sample touches the last page only.
CREATE TABLE status_periods (
  -- Length: 300, 3600 or 86400.
  seconds INTEGER NOT NULL,
  -- Beginning.
  at INTEGER NOT NULL,
  part TEXT NOT NULL,
  samples INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  -- Those of `ok` that took two seconds or more.
  slow INTEGER NOT NULL,
  -- Milliseconds of the samples that are ok; NULL for bots.
  latency_sum INTEGER,
  latency_max INTEGER,
  PRIMARY KEY (seconds, at, part)
) STRICT, WITHOUT ROWID;

-- How each part is now and since when: what opens and closes incidents.
CREATE TABLE status_streaks (
  part TEXT PRIMARY KEY,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  -- Samples in a row with this outcome.
  samples INTEGER NOT NULL,
  -- Time of the first of them.
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Opened by two failed samples in a row, closed by two good ones.
CREATE TABLE incidents (
  incident INTEGER PRIMARY KEY AUTOINCREMENT,
  part TEXT NOT NULL,
  -- First failed sample, first good one after it.
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  -- The operator's words, plain text, public.
  note TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
-- At most one open incident a part; finds it.
CREATE UNIQUE INDEX incidents_open ON incidents (part) WHERE closed_at IS NULL;
-- The page and the feed: newest first.
CREATE INDEX incidents_newest ON incidents (opened_at DESC);

-- Litecoin donations (SPEC 2.5, 3 and 4.4) ---------------------------------------------------------------------------

-- Amounts are whole litoshi (1e-8 LTC) and whole grosze. No private key is ever here.

CREATE TABLE donations (
  -- SPEC `id`.
  id TEXT PRIMARY KEY,
  network TEXT NOT NULL CHECK (network IN ('main', 'test', 'regtest')),
  address TEXT NOT NULL UNIQUE,
  -- What outputs to the address say, in hex: the same however a source writes addresses.
  script TEXT NOT NULL UNIQUE,
  -- Where the address was derived: the account key (donation_keys) and the place on its external chain.
  key_id TEXT,
  key_index INTEGER,
  status TEXT NOT NULL CHECK (
    status IN (
      'pending', 'seen', 'confirming', 'underpaid', 'confirmed', 'forwarding', 'forwarded', 'expired', 'failed'
    )
  ),
  status_since INTEGER NOT NULL,
  minimum_litoshi INTEGER NOT NULL CHECK (minimum_litoshi > 0),
  received_litoshi INTEGER NOT NULL DEFAULT 0 CHECK (received_litoshi >= 0),
  -- Price of one LTC, frozen when the donation was made.
  rate_grosze INTEGER NOT NULL CHECK (rate_grosze > 0),
  premium_month_grosze INTEGER NOT NULL CHECK (premium_month_grosze > 0),
  premium_lifetime_grosze INTEGER NOT NULL CHECK (premium_lifetime_grosze > 0),
  confirmations INTEGER NOT NULL DEFAULT 0 CHECK (confirmations >= 0),
  required_confirmations INTEGER NOT NULL CHECK (required_confirmations > 0),
  tx_id TEXT,
  forward_tx_id TEXT,
  role_status TEXT NOT NULL DEFAULT 'none' CHECK (role_status IN ('none', 'waiting', 'done', 'failed')),
  -- Whether somebody is to get a role once it is paid; who that is stands in donation_payers only.
  role_expected INTEGER NOT NULL DEFAULT 0 CHECK (role_expected IN (0, 1)),
  -- The payment came after expires_at.
  is_late INTEGER NOT NULL DEFAULT 0 CHECK (is_late IN (0, 1)),
  -- The chain took back what it had shown, and the payment is not confirmed again yet.
  is_reorganised INTEGER NOT NULL DEFAULT 0 CHECK (is_reorganised IN (0, 1)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Nothing that can still happen on the chain is expected to change it.
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
  -- Grows with every change that the public sees.
  revision INTEGER NOT NULL DEFAULT 1,
  -- When an explorer was last asked about the address.
  asked_at INTEGER NOT NULL DEFAULT 0,
  UNIQUE (key_id, key_index),
  CHECK ((key_id IS NULL) = (key_index IS NULL))
) STRICT, WITHOUT ROWID;
-- What the watcher looks at in every poll.
CREATE INDEX donations_unsettled ON donations (status, expires_at) WHERE settled = 0;
-- The operator's list.
CREATE INDEX donations_newest ON donations (created_at DESC, id);

-- Every change of status, with its time.
CREATE TABLE donation_transitions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  donation_id TEXT NOT NULL REFERENCES donations (id),
  at INTEGER NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  -- What the operator said of it.
  reason TEXT
) STRICT;
CREATE INDEX donation_transitions_by_donation ON donation_transitions (donation_id, seq);

-- Who a donation is for. Nothing that answers the public reads this table.
CREATE TABLE donation_payers (
  donation_id TEXT PRIMARY KEY REFERENCES donations (id),
  -- ID on the chat platform.
  chat_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Outputs on the chain that pay a donation, and what spends them.
CREATE TABLE donation_outputs (
  tx_id TEXT NOT NULL,
  vout INTEGER NOT NULL,
  donation_id TEXT NOT NULL REFERENCES donations (id),
  litoshi INTEGER NOT NULL,
  -- The height of its block; NULL while it is in no block.
  height INTEGER,
  first_seen_at INTEGER NOT NULL,
  -- `pegout`: coins that leave MWEB, not in a block yet; once they are, an output of the block's own transaction
  -- (`hogex`) takes its place.
  kind TEXT NOT NULL CHECK (kind IN ('plain', 'pegout', 'hogex')),
  -- In no block and in no mempool any more. It stays here, for it may come back.
  is_gone INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)),
  spent_by TEXT,
  spent_height INTEGER,
  spent_seen_at INTEGER,
  PRIMARY KEY (tx_id, vout)
) STRICT, WITHOUT ROWID;
CREATE INDEX donation_outputs_by_donation ON donation_outputs (donation_id);
CREATE INDEX donation_outputs_by_height ON donation_outputs (height);
CREATE INDEX donation_outputs_by_spent_height ON donation_outputs (spent_height);

-- Account keys that addresses were derived from: a fingerprint, never the key. An index that was given out once is
-- never given out again.
CREATE TABLE donation_keys (
  key_id TEXT PRIMARY KEY,
  next_index INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest blocks that the watcher has read; the highest is where it goes on.
CREATE TABLE litecoin_blocks (
  height INTEGER PRIMARY KEY,
  hash TEXT NOT NULL
) STRICT;

-- Prices of one LTC that were believed, newest last.
CREATE TABLE litecoin_rates (
  at INTEGER PRIMARY KEY,
  rate_grosze INTEGER NOT NULL,
  source TEXT NOT NULL
) STRICT;
