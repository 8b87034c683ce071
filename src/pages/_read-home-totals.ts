/** This counts entries for the home page; it names nobody. */
import { LIST_KINDS } from '#src/entries/entry.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import type { Requester } from '#src/turns/fair-queue.ts';
import type { Services } from '#src/services.ts';
import type { HomeTotals } from '../components/check/home-texts.ts';

const NEWEST_CONFIRMED = { ...parseListQuery([]).query, status: 'verified', limit: 1 } as const;

export async function readHomeTotals(
  { lists }: Pick<Services, 'lists'>,
  requester: Requester,
): Promise<HomeTotals> {
  const reported = ['scammers', 'servers'] as const;
  const newest = await Promise.all(
    reported.map((list) => lists.listSummaries(list, NEWEST_CONFIRMED, requester)),
  );
  const confirmed = newest.flatMap(({ entries }) => entries.map(({ reportedAt }) => reportedAt));
  return {
    entries: LIST_KINDS.map((list) => ({ list, count: lists.count(list) })),
    confirmedAt: confirmed.length === 0 ? undefined : Math.max(...confirmed),
  };
}
