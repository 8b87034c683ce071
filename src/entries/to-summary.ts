import { excerptOf } from '../text/excerpt.ts';
import type { Entry, EntrySummary } from './entry.ts';

/** What a row of a list shows of an entry. */
export function toSummary(entry: Entry): EntrySummary {
  return {
    _id: entry._id,
    name: entry.name,
    id: entry.id,
    verified: entry.verified,
    proofsId: entry.proofsId,
    reportId: entry.reportId,
    list: entry.list,
    proofs: entry.proofs,
    reportedAt: entry.reportedAt,
    updatedAt: entry.updatedAt,
    excerpt: excerptOf(entry.descHtml),
  };
}
