import type { PublicSummary } from '#src/entries/entry.ts';
import type { ListReader } from '#src/lists/list-reader.ts';
import type { StrongerOf } from '../components/check/answer.ts';
import { compareRoles, roleOf } from '../components/ui/role.ts';

/**
 * Finds trusted people who are reported too, under any name.
 * @returns for an entry, the more important entry with the same ID
 */
export function findStronger(
  listReader: Pick<ListReader, 'groupSummariesByChatId'>,
  entries: readonly PublicSummary[],
): StrongerOf {
  const trusted = entries.filter(({ list }) => list === 'legit').map(({ id }) => id);
  const found = trusted.length === 0 ? undefined : listReader.groupSummariesByChatId(trusted);
  return (entry) =>
    entry.list === 'legit'
      ? found
          ?.get(entry.id)
          ?.filter(({ list }) => list !== 'legit')
          .toSorted((one, other) => compareRoles(roleOf(one), roleOf(other)))[0]
      : undefined;
}
