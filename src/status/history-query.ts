/** The parameters of the history. */
import { QueryReader } from '../text/read-query.ts';
import type { Parsed, QueryPairs } from '../text/read-query.ts';
import { HISTORY_RANGE_NAMES } from './periods.ts';
import type { HistoryRange } from './periods.ts';
import { PART_IDS } from './status.ts';
import type { PartId } from './status.ts';

export interface HistoryQuery {
  readonly id: PartId;
  readonly range: HistoryRange;
}

export function parseHistoryQuery(parameters: QueryPairs): Parsed<HistoryQuery> {
  const reader = new QueryReader(parameters);
  return reader.result({
    id: reader.requiredChoice('id', PART_IDS),
    range: reader.choice('range', HISTORY_RANGE_NAMES, '24h'),
  });
}
