/** This counts entries for the home page; it names nobody. */
import { LIST_KINDS } from '#src/entries/entry.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import type { Requester } from '#src/queues/fair-queue.ts';
import type { Services } from '#src/services.ts';
import type { HomeTotals } from '../components/check/home-texts.ts';

const NEWEST_CONFIRMED = { ...parseListQuery([]).query, status: 'verified', limit: 1 } as const;

export async function readHomeTotals(
  { lists }: Pick<Services, 'lists'>,
  requester: Requester,
): Promise<HomeTotals> {
  const scammers = await lists.listSummaries('scammers', NEWEST_CONFIRMED, requester);
  const servers = await lists.listSummaries('servers', NEWEST_CONFIRMED, requester);
  const confirmed = [...scammers.entries, ...servers.entries].map(({ reportedAt }) => reportedAt);
  return {
    entries: LIST_KINDS.map((list) => ({ list, count: lists.count(list) })),
    confirmedAt: confirmed.length === 0 ? undefined : Math.max(...confirmed),
  };
}
