import { type Forms, countOf, pl } from '../ui/polish.ts';

const OTHERS: Forms = { one: 'inne', few: 'inne', many: 'innych' };
const DIFFERENCES: Forms = { one: 'inna różnica', few: 'inne różnice', many: 'innych różnic' };

/** A likeness shows no intent: no text here says that one account imitates another. */
export const LIKENESS = {
  warning: (byId: boolean) =>
    byId ? pl`Uwaga: podobny nick, inne ID` : pl`Uwaga: ten nick przypomina nick zaufanej osoby`,
  asked: pl`Sprawdzasz`,
  trusted: pl`Na liście zaufanych`,
  other: pl`Podobny nick`,
  compare: (byId: boolean) =>
    byId
      ? pl`To konto ma inne ID. Porównaj ID cyfra po cyfrze.`
      : pl`Nick może mieć każdy. Porównaj ID cyfra po cyfrze. Inne ID to inne konto.`,
  reported: ([first, ...others]: readonly { readonly isFormer: boolean }[]) => {
    if (first?.isFormer) return pl`Ten nick był wcześniej na listach`;
    return others.length === 0 ? pl`Nie pomyl z tym kontem` : pl`Nie pomyl z tymi kontami`;
  },
  former: (isServer: boolean) =>
    isServer ? pl`Ten serwer miał wcześniej taką nazwę.` : pl`To konto miało wcześniej taki nick.`,
  today: pl`Obecny nick`,
  affix: (added: readonly string[]) =>
    pl`Ten nick to nick zaufanej osoby z ${added.length === 1 ? 'dodatkiem' : 'dodatkami'} ${added.join(' i ')}.`,
  polishOnly: pl`Różnią się tylko polskimi literami:`,
  same: pl`Nicki są takie same.`,
  sameButCase: pl`Nicki różnią się tylko wielkością liter.`,
  andMore: (count: number) => pl`; i ${countOf(count, DIFFERENCES)}`,
  others: (count: number) => pl`i ${countOf(count, OTHERS)}`,
  none: pl`Takiego nicku nie ma na listach, ale są podobne`,
  noneButFormer: pl`Takiego nicku nie ma już na listach, ale wcześniej był`,
  unknown: pl`Podobnych nicków nie możemy teraz sprawdzić. Spróbuj ponownie za chwilę.`,
} as const;
