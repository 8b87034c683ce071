import { z } from 'zod';
import { LIKENESSES } from '../text/look-alike.ts';
import { timestamp } from '../text/timestamp.ts';
import { listEntrySchema } from './entry-schema.ts';
import {
  accountSchema,
  appealSchema as appeal,
  listKindSchema as list,
  mirrorFacts,
} from './mirror-schema.ts';
import { ID_WARNINGS, LOOK_ALIKES_MAX, VERDICTS, WARNINGS, type Warning } from './verdict.ts';

const WARNING_TEXTS: Readonly<Record<Warning, string>> = {
  looks_like_trusted: 'nick przypomina nick zaufanej osoby o innym ID',
  looks_like_reported: 'nick przypomina obecną albo dawną nazwę ze zgłoszonego wpisu',
  mixed_scripts: 'nick miesza alfabety',
  hidden_characters: 'nick ma niewidoczne znaki',
  id_malformed: 'ID nie ma od 17 do 20 cyfr',
  id_rounded: 'ID wygląda na zaokrągloną liczbę i nie ma go na listach',
};

function describeWarnings(codes: readonly Warning[]): string {
  return `${codes.map((code) => `\`${code}\`: ${WARNING_TEXTS[code]}`).join('; ')}.`;
}

const verdict = z.enum(VERDICTS).meta({
  id: 'VerdictKind',
  description:
    '`reported`: potwierdzone zgłoszenie osoby albo serwera; `risk`: zgłoszenie niepotwierdzone albo przejęte zaufane konto; `trusted`: lista zaufanych; `unknown`: brak wpisu o tym ID, co nie znaczy, że jest bezpiecznie.',
});
const decidingList = list.nullable().describe('Lista wpisu, który decyduje; `null`, gdy go nie ma.');
const account = accountSchema
  .nullable()
  .describe('Czyje jest konto; przejęte zaufane ma `risk`. `null`, gdy wpisu nie ma.');
const accountSince = mirrorFacts.accountSince;
const dataAt = timestamp.describe('Ostatnia zmiana list, którą zna odpowiedź, ISO 8601 w UTC.');

const differenceSchema = z
  .object({
    at: z.int().min(0).describe('Miejsce w podanym nicku, od 0, w znakach Unicode (code points) formy NFC.'),
    from: z.string().describe('Jak jest w nicku z listy; pusty tekst, gdy nie ma tam nic.'),
    to: z.string().describe('Jak jest w podanym nicku; pusty tekst, gdy nie ma tam nic.'),
    text: z.string().describe('To samo słowami, po polsku.'),
  })
  .meta({ id: 'NameDifference', description: 'Czym nicki się różnią.' });

const lookAlikeSchema = z
  .object({
    verdict,
    list,
    account: mirrorFacts.account,
    id: z.string().describe('ID tego wpisu, inne niż podane.'),
    name: z.string().describe('Obecny nick tego wpisu.'),
    reportId: z.string().describe('Numer zgłoszenia.'),
    why: z
      .enum(LIKENESSES)
      .describe(
        '`same_name`: taki sam nick, jeśli pominąć wielkość liter, znaki diakrytyczne i niewidoczne; `same_shape`: podobne litery; `one_edit`: jedna litera różnicy albo dwie sąsiednie zamienione miejscami w dłuższym nicku; `affix`: nick z listy zaufanych z dodatkiem, na przykład `_pomoc`, `official` albo liczbą; `former_name`: zgłoszony wpis miał wcześniej taki nick. Dawnych nicków nie ma w listach, zmianach ani plikach.',
      ),
    differs: z
      .array(differenceSchema)
      .describe(
        'Co jest inne, przy `former_name` względem dawnego nicku; pusta tablica, gdy różni się tylko wielkość liter.',
      ),
  })
  .meta({
    id: 'LookAlike',
    description: 'Wpis z innym ID, którego obecny albo dawny nick przypomina podany.',
  });

export const verdictResponseSchema = z
  .object({
    verdict,
    list: decidingList,
    account,
    accountSince,
    entries: z
      .array(
        z
          .object({ ...listEntrySchema.shape, list, ...mirrorFacts })
          .meta({ id: 'VerdictEntry', description: 'Wpis z listą i datami.' }),
      )
      .describe(
        'Wpisy z tym ID, decydujący pierwszy. Gdy ID jest na liście zgłoszonych, wpisu z listy zaufanych tu nie ma.',
      ),
    warnings: z
      .array(z.enum(WARNINGS).describe(describeWarnings(WARNINGS)))
      .describe(
        'Na co uważać. Ostrzeżenie nie jest wynikiem: zaufana osoba też może mieć `looks_like_reported`.',
      ),
    lookAlikes: z.array(lookAlikeSchema).max(LOOK_ALIKES_MAX).describe('Podobne nicki, najpierw zaufane.'),
    dataAt,
  })
  .meta({ id: 'VerdictResponse', description: 'Jedna odpowiedź o ID albo nicku.' });

export type VerdictResponse = Readonly<z.infer<typeof verdictResponseSchema>>;

export const verdictsResponseSchema = z
  .object({
    verdicts: z
      .record(
        z.string(),
        z
          .object({
            verdict,
            list: decidingList,
            account,
            accountSince,
            reportId: z.string().nullable().describe('Numer zgłoszenia; `null`, gdy wpisu nie ma.'),
            appeal,
            warnings: z
              .array(z.enum(ID_WARNINGS).describe(describeWarnings(ID_WARNINGS)))
              .describe(
                'Przy ostrzeżeniu wynik `unknown` nic nie znaczy: pobierz ID jeszcze raz, jako tekst.',
              ),
          })
          .meta({ id: 'ShortVerdict', description: 'Wynik dla jednego z wielu ID.' }),
      )
      .describe('Kluczem jest ID z zapytania, bez spacji wokół i tylko raz.'),
    dataAt,
  })
  .meta({ id: 'VerdictsResponse', description: 'Wyniki dla wielu ID.' });

export type VerdictsResponse = Readonly<z.infer<typeof verdictsResponseSchema>>;
