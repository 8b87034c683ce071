/** This counts entries for the home page; it names nobody. */
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import { type Requester, OverloadedError } from '#src/turns/fair-queue.ts';
import type { Services } from '#src/services.ts';
import type { HomeTotals } from '../components/check/home-texts.ts';

const NEWEST_CONFIRMED = parseListQuery([
  ['status', 'verified'],
  ['limit', '1'],
]).query;

export async function readHomeTotals(
  { lists }: Pick<Services, 'lists'>,
  requester: Requester,
): Promise<HomeTotals> {
  const newest = async (list: ListKind): Promise<number[]> => {
    try {
      const { entries } = await lists.listSummaries(list, NEWEST_CONFIRMED, requester);
      return entries.map(({ reportedAt }) => reportedAt);
    } catch (error) {
      if (error instanceof OverloadedError) return [];
      throw error;
    }
  };
  const confirmed = [...(await newest('scammers')), ...(await newest('servers'))];
  return {
    entries: LIST_KINDS.map((list) => ({ list, count: lists.count(list) })),
    confirmedAt: confirmed.length === 0 ? undefined : Math.max(...confirmed),
  };
}
