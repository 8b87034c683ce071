/** The status in a sentence or two: how the whole is, and what people can do meanwhile. */
import type { OverallHealth, PartHealth, PartId } from '#src/status/status.ts';
import { STATUS } from './status-texts.ts';

type KnownPart = Readonly<{ id: PartId; health: PartHealth }>;

/** The text is undefined where the title has said it all. */
export function describeStatus(overall: OverallHealth, parts: readonly KnownPart[]) {
  const configured = parts.filter(({ health }) => health !== 'none');
  const listsWork = configured.some(({ id, health }) => id === 'database' && health !== 'bad');
  if (overall === 'none') return { title: STATUS.overall.none, text: undefined };
  if (overall === 'good')
    return { title: configured.length > 1 ? STATUS.overall.good : STATUS.listsWork, text: undefined };
  const bad = configured.filter(({ health }) => health === 'bad').map(({ id }) => id);
  const isCheckLost = overall === 'partly' && !listsWork;
  return {
    title: isCheckLost ? STATUS.checkFails : STATUS.overall[overall],
    text: [
      listsWork ? `${STATUS.listsWork}.` : STATUS.listsFail,
      ...new Set(bad.map((id) => STATUS.withoutPart[id]).filter((text) => text !== undefined)),
    ].join(' '),
  };
}
