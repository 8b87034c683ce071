-- Litecoin donations (SPEC 2.5, 3 and 4.4). Amounts are whole litoshi (1e-8 LTC) and whole grosze; times are epoch
-- milliseconds. No private key is ever here.

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
  -- When Esplora, the second source, was last asked about the address.
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
  -- Of its block; NULL while it is in no block.
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
