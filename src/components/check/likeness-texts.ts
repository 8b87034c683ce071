/** Names that look alike. */
import type { Forms } from '../ui/polish.ts';
import { countOf, pl } from '../ui/polish.ts';

const OTHERS: Forms = { one: 'inny', few: 'inne', many: 'innych' };
const DIFFERENCES: Forms = { one: 'inna różnica', few: 'inne różnice', many: 'innych różnic' };

/** A likeness shows no intent: nothing here says that somebody imitates anybody. */
export const LIKENESS = {
  warning: (byId: boolean) =>
    byId ? pl`Uwaga: podobny nick, inne ID` : pl`Uwaga: ten nick przypomina nick zaufanej osoby`,
  trusted: pl`Na liście zaufanych jest`,
  hasId: pl`o ID`,
  compare: (byId: boolean) =>
    byId
      ? pl`To, które sprawdzasz, jest inne. Porównaj cyfra po cyfrze.`
      : pl`Nick może mieć każdy. Porównaj ID cyfra po cyfrze: inne ID to inne konto.`,
  reported: pl`Na listach są konta o podobnym nicku`,
  differs: pl`Różni je:`,
  polishOnly: pl`Różnią je tylko polskie litery:`,
  affix: (added: readonly string[]) =>
    pl`Ten nick to nick zaufanej osoby z ${added.length === 1 ? 'dodatkiem' : 'dodatkami'} ${added.join(' i ')}.`,
  same: pl`Nicki są takie same.`,
  sameButCase: pl`Nicki różnią się tylko wielkością liter.`,
  andMore: (count: number) => pl`; i ${countOf(count, DIFFERENCES)}`,
  others: (count: number) => pl`i ${countOf(count, OTHERS)}`,
  none: pl`Nie ma wpisu z takim nickiem, są podobne`,
  unknown: pl`Podobnych nicków nie da się teraz sprawdzić. Spróbuj ponownie za chwilę.`,
} as const;
