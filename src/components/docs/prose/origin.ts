import { pl } from '../../ui/polish.ts';
import { BADGE_WORD } from '../../ui/roles-texts.ts';
import { ofPlatform } from '../../layout/site-texts.ts';
import type { ProsePage } from './block.ts';
import { operatorSentences } from './contact.ts';
import type { OperatorFacts } from './contact.ts';

export const originPage = (operator: OperatorFacts): ProsePage => ({
  title: pl`Jak powstają wpisy`,
  lead: pl`Skąd biorą się wpisy, co znaczą i czego z nich nie wynika.`,
  blocks: [
    { heading: pl`Cztery odpowiedzi` },
    {
      list: [
        pl`**${BADGE_WORD.stop}**: zgłoszenie sprawdzono i potwierdzono.`,
        pl`**${BADGE_WORD.warn}**: zgłoszenie przyjęto, ale jeszcze go nie potwierdzono. Może być nietrafione.`,
        pl`**${BADGE_WORD.good}**: społeczność poleca to konto, a obsługa je sprawdziła. To nie gwarancja.`,
        pl`**${BADGE_WORD.none}**: nikt nie zgłosił tego ID albo konto jest nowe. To nie znaczy, że jest bezpiecznie.`,
      ],
    },
    pl`To samo ID może być na kilku listach. Gdy jest na liście zgłoszonych lub ryzyka, wynik sprawdzenia nie pokazuje listy zaufanych.`,
    { heading: pl`Od zgłoszenia do wpisu` },
    {
      steps: [
        pl`Ktoś [zgłasza konto](/zglos): podaje ID, opisuje zdarzenie i dołącza dowody.`,
        pl`Obsługa czyta zgłoszenie. Bez ID albo bez opisu wpis nie powstaje.`,
        pl`Zgłoszenie, którego nie da się jeszcze potwierdzić, trafia na listę ryzyka i jest tak oznaczone.`,
        pl`Po potwierdzeniu wpis dostaje oznaczenie „${BADGE_WORD.stop}” zamiast „${BADGE_WORD.warn}”. Po odwołaniu może zostać poprawiony albo usunięty.`,
      ],
    },
    { heading: pl`Co jest we wpisie` },
    pl`Nick albo nazwa serwera z chwili zgłoszenia, ID, powód, data, nr zgłoszenia i dowody, jeśli można je pokazać. Dowody z danymi innych osób są niepubliczne.`,
    { heading: pl`Czego wpis nie mówi` },
    pl`Wpis oznacza zgłoszenie, nie wyrok. Nie stwierdza winy i nie zastępuje policji ani sądu. Konto mogło też zostać przejęte albo sprzedane, zanim doszło do zdarzenia.`,
    pl`Nick nie wskazuje osoby: może go mieć każdy. Dlatego liczy się ID.`,
    { heading: pl`Gdy wpis dotyczy Ciebie` },
    pl`[Odwołanie](/odwolania) jest bezpłatne. Podaj nr zgłoszenia ze strony wpisu.`,
    { heading: pl`Kto prowadzi Czujkę` },
    ...operatorSentences(operator),
    pl`Czujka nie należy do ${ofPlatform(operator.platformName)}. Nie ma też dostępu do kont ani rozmów.`,
  ],
});
