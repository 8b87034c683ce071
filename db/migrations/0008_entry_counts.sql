-- What happened to entries on a day in UTC, for the sentence of numbers. It names no entry, so it stays when one is erased.
CREATE TABLE entry_counts (
  day TEXT NOT NULL,
  -- `added`, less what imports took back; `removed`; `granted`: removed after an appeal; `decided`: an appeal, either way.
  what TEXT NOT NULL CHECK (what IN ('added', 'removed', 'granted', 'decided')),
  -- How long a decided appeal had waited; 0 for the others.
  days INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, what, days)
) STRICT, WITHOUT ROWID;

INSERT INTO entry_counts
  SELECT date(at / 1000, 'unixepoch'), 'added', 0, count(*) FROM changes WHERE op = 'added' GROUP BY 1;
-- Without a removal of its own, it was an import that was taken back.
INSERT INTO entry_counts
  SELECT date(removed_at / 1000, 'unixepoch'), 'added', 0, -count(*) FROM tombstones
  WHERE entry_id NOT IN (SELECT entry_id FROM removals WHERE what = 'entry') GROUP BY 1
  ON CONFLICT (day, what, days) DO UPDATE SET count = count + excluded.count;
INSERT INTO entry_counts
  SELECT date(removed_at / 1000, 'unixepoch'), what.value, 0, count(*)
  FROM tombstones JOIN json_each('["removed", "granted"]') AS what
  WHERE entry_id IN (SELECT entry_id FROM removals WHERE what = 'entry')
    AND (what.value = 'removed' OR reason_code = 'appeal') GROUP BY 1, 2;
