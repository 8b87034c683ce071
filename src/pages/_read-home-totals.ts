/** This counts entries for the home page; it names nobody. */
import { parseListQuery } from '#src/entries/list-query.ts';
import type { Requester } from '#src/queues/fair-queue.ts';
import type { Services } from '#src/services.ts';
import type { HomeTotals } from '../components/check/home-texts.ts';

const NEWEST = { ...parseListQuery([]).query, limit: 1 } as const;

export async function readHomeTotals(
  { listReader }: Pick<Services, 'listReader'>,
  requester: Requester,
): Promise<HomeTotals> {
  const scammers = await listReader.listSummaries('scammers', NEWEST, requester);
  const servers = await listReader.listSummaries('servers', NEWEST, requester);
  const reported = [...scammers.entries, ...servers.entries].map(({ reportedAt }) => reportedAt);
  return {
    entries: (['scammers', 'servers'] as const)
      .map((list) => ({ list, count: listReader.count(list) }))
      .filter(({ count }) => count > 0),
    newestAt: reported.length === 0 ? undefined : Math.max(...reported),
  };
}
