-- The status snapshot, its history and incidents (SPEC 2.4 and 4.3). The worker writes them; none of it is a change of
-- the lists. A part is a check or a bot of SPEC 2.4; parts that are not configured have no rows.

-- The newest sample, as the API answers it.
CREATE TABLE status_snapshot (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- Epoch milliseconds.
  checked_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

-- Written at each sample: that writing works is a part of the database's own check.
CREATE TABLE status_write_probe (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at INTEGER NOT NULL
) STRICT;

-- Every sample of the last 24 hours.
CREATE TABLE status_samples (
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  part TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  -- NULL for bots.
  latency_ms INTEGER,
  PRIMARY KEY (at, part)
) STRICT, WITHOUT ROWID;

-- Samples summed up by five minutes (kept for a day), hours (90 days) and days in UTC (a year). In order of time, so that
-- a sample touches the last page only.
CREATE TABLE status_periods (
  -- Length: 300, 3600 or 86400.
  seconds INTEGER NOT NULL,
  -- Beginning, epoch milliseconds.
  at INTEGER NOT NULL,
  part TEXT NOT NULL,
  samples INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  -- Those of `ok` that took two seconds or more.
  slow INTEGER NOT NULL,
  -- Of the samples that are ok; NULL for bots.
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
  -- First failed sample, first good one after it; epoch milliseconds.
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
