import { sqlBuilder, param, paramList, type Database } from '../db/database.ts';
import type { PublicSummary } from '../entries/entry.ts';
import { listFormerNames } from '../entries/former-names.ts';
import { parseSummaries, readPublicColumn } from '../entries/public-entry.ts';
import { LOOK_ALIKES_MAX, type LookAlike } from '../entries/verdict.ts';
import {
  compareNames,
  compareToTrusted,
  isOneEdit,
  keysWithoutAffix,
  LIKENESSES,
  normalizeName,
  type NormalizedName,
} from '../text/look-alike.ts';
import { partHashes, toHash, wholeHashes } from './look-alike-hashes.ts';

/** A key of more reported entries is a common name; its warnings would be too frequent to be read. */
const COMMON_NAME_MAX = 20;
/** More than are shown, because some may be left out. */
const BUCKET_MAX = 25;

/** @param toShown finds the entry that stands for one in the answer, if any */
export function findLookAlikes(
  db: Database,
  asked: NormalizedName,
  toShown: (entry: PublicSummary) => PublicSummary | undefined,
): LookAlike[] {
  if (asked.key === '') return [];
  const rows = findCandidates(db, asked);
  const entries = parseSummaries(readPublicColumn(db, 'card', rows).toString());
  const ids = entries.map(({ _id }) => _id);
  const formerNames = listFormerNames(db, ids);
  const alike = entries.flatMap((entry): LookAlike[] => {
    // The name may have changed since its hashes were written.
    const normalized = normalizeName(entry.name);
    const compare = entry.list === 'legit' ? compareToTrusted : compareNames;
    const why = compare(asked, normalized);
    const former = formerNames.get(entry._id)?.map(({ name }) => normalizeName(name)) ?? [];
    const had = why === 'same_name' ? undefined : former.find(({ folded }) => folded === asked.folded);
    const found = had ? ({ why: 'former_name', normalized: had } as const) : why && { why, normalized };
    const shown = found && toShown(entry);
    return shown ? [{ entry: shown, ...found }] : [];
  });
  alike.sort(
    (one, other) =>
      Number(one.entry.list !== 'legit') - Number(other.entry.list !== 'legit') ||
      LIKENESSES.indexOf(one.why) - LIKENESSES.indexOf(other.why) ||
      other.entry.reportedAt - one.entry.reportedAt,
  );
  const isFirst = ({ entry }: LookAlike, at: number): boolean =>
    alike.findIndex((other) => other.entry._id === entry._id) === at;
  return alike.filter(isFirst).slice(0, LOOK_ALIKES_MAX);
}

function findCandidates(db: Database, asked: NormalizedName): number[] {
  const whole = wholeHashes(asked);
  const parts = partHashes(asked, true);
  const cores = keysWithoutAffix(asked).map(toHash);
  // One statement, because each takes longer than its look-ups.
  const hashes = JSON.stringify([...whole, ...parts.map(({ hash }) => hash), ...cores]);
  const groups = db.all(GROUPS, { hashes });
  const common = whole.filter((hash) => {
    const reported = groups.filter((group) => group.hash === hash && group.is_reported === 1);
    return reported.reduce((sum, { count }) => sum + count, 0) > COMMON_NAME_MAX;
  });
  const same = toHash(asked.folded);
  const similar = groups.filter(({ hash, is_reported: isReported, detail, count }) => {
    if (typeof detail === 'number') {
      if (isReported === 0) return true;
      return whole.includes(hash) && (!common.includes(hash) || detail === same);
    }
    if (isReported === 1 && count > COMMON_NAME_MAX) return false;
    return parts.some((part) => part.hash === hash && isOneEdit(part.rest, detail));
  });
  const rows = similar.flatMap(({ hash, is_reported: isReported, detail, count, row }) =>
    count === 1 ? [row] : db.all(BUCKET, { hash, isReported, detail }).map((entry) => entry.row),
  );
  return [...new Set(rows)];
}

const GROUPS = sqlBuilder
  .selectFrom('look_alike_hashes')
  .select(({ fn }) => [
    'hash',
    'is_reported',
    'detail',
    fn.countAll<number>().as('count'),
    fn.min('row').as('row'),
  ])
  .where('hash', 'in', paramList('hashes'))
  .groupBy(['hash', 'is_reported', 'detail'])
  .compile();
const BUCKET = sqlBuilder
  .selectFrom('look_alike_hashes')
  .select('row')
  .where('hash', '=', param('hash'))
  .where('is_reported', '=', param('isReported'))
  .where('detail', '=', param('detail'))
  .orderBy('row')
  .limit(BUCKET_MAX)
  .compile();
