import { z } from 'zod';
import { timestamp } from '../text/timestamp.ts';
import { ACCOUNT_STATES, LIST_KINDS } from './entry.ts';
import type { MirrorFacts } from './entry-row.ts';
import { listEntrySchema } from './entry-schema.ts';
import { REMOVAL_REASONS } from '../removals/removal-reasons.ts';

export const listKindSchema = z.enum(LIST_KINDS).meta({
  id: 'ListKind',
  description: 'Lista: `scammers` to zgłoszone osoby, `servers` zgłoszone serwery, `legit` osoby zaufane.',
});

export const accountSchema = z.enum(ACCOUNT_STATES).meta({
  id: 'AccountState',
  description:
    '`own`: konto ma właściciel; `hijacked`: pisze z niego ktoś inny, a właściciel nie jest winny.',
});

export const appealSchema = z
  .object({
    openedAt: timestamp.describe('Kiedy wpłynęło, ISO 8601 w UTC.'),
    decidedAt: timestamp.nullable().describe('Kiedy zapadła decyzja.'),
    outcome: z
      .enum(['upheld'])
      .nullable()
      .describe('`null`: czeka; `upheld`: wpis podtrzymano. Po uznanym wpisu nie ma.'),
    note: z.string().nullable().describe('Dlaczego: zwykły tekst, po słowie „bo”.'),
  })
  .meta({ id: 'Appeal', description: 'Odwołanie.' })
  .nullable()
  .describe('Najnowsze odwołanie. Wyniku nie zmienia.');

export type PublicAppeal = NonNullable<Readonly<z.infer<typeof appealSchema>>>;

export const mirrorFacts = {
  reportedAt: timestamp.describe('Kiedy zgłoszono, ISO 8601 w UTC.'),
  verifiedAt: timestamp.nullable().describe('Kiedy potwierdzono; `null`, gdy nie jest albo nie wiadomo.'),
  account: accountSchema.describe(
    'Czyje jest konto. Ostrzeżenie zostaje; zaufany wpis ma `verified: false`, gdy konto przejęto.',
  ),
  accountSince: timestamp
    .nullable()
    .describe('Od kiedy konto jest przejęte; `null`, gdy nie jest albo nie wiadomo.'),
  updatedAt: timestamp.describe('Kiedy ostatnio zmieniono, ISO 8601 w UTC.'),
  appeal: appealSchema,
} satisfies Record<keyof MirrorFacts, z.ZodType>;

const mirrorEntrySchema = z
  .object({ ...listEntrySchema.shape, ...mirrorFacts })
  .meta({ id: 'MirrorEntry', description: 'Wpis z datami, w plikach kopii i w zmianach.' });

export type MirrorEntry = Readonly<z.infer<typeof mirrorEntrySchema>>;

const tombstoneSchema = z
  .object({
    list: listKindSchema,
    _id: z.string().describe('`_id` wpisu, który masz usunąć także u siebie.'),
    reportId: z.string().describe('Numer zgłoszenia.'),
    removedAt: timestamp.describe('Kiedy usunięto, ISO 8601 w UTC.'),
    reasonCode: z
      .enum(REMOVAL_REASONS)
      .describe(
        'Dlaczego: `appeal` odwołanie, `mistake` pomyłka, `request` prośba osoby, `duplicate` duplikat, `recovered` właściciel odzyskał konto, `other` inna przyczyna. Kod, którego nie znasz, traktuj jak `other`.',
      ),
  })
  .meta({ id: 'Tombstone', description: 'Co zostaje po usuniętym wpisie.' });

const seq = z.int().min(1).describe('Numer zmiany; rośnie.');
const at = timestamp.describe('Kiedy, ISO 8601 w UTC.');

const upsertSchema = z
  .object({
    seq,
    at,
    op: z
      .enum(['added', 'updated'])
      .describe('`added` i `updated` znaczą to samo: zapisz `entry` pod jego `_id`.'),
    list: listKindSchema,
    entry: mirrorEntrySchema,
  })
  .meta({ id: 'EntryChange', description: 'Wpis dodany albo zmieniony.' });

const removedSchema = z
  .object({
    seq,
    at,
    op: z.literal('removed').describe('`removed`: usuń wpis o `_id` z `tombstone`.'),
    list: listKindSchema,
    tombstone: tombstoneSchema,
  })
  .meta({ id: 'EntryRemoval', description: 'Wpis usunięty.' });

export const changeSchema = z.discriminatedUnion('op', [upsertSchema, removedSchema]).meta({
  id: 'Change',
  description: 'Zmiana na liście.',
  discriminator: {
    propertyName: 'op',
    mapping: {
      added: '#/components/schemas/EntryChange',
      updated: '#/components/schemas/EntryChange',
      removed: '#/components/schemas/EntryRemoval',
    },
  },
});

export type Change = Readonly<z.infer<typeof changeSchema>>;

const cursor = z.string().describe('Miejsce w dzienniku zmian. Nie zaglądaj do środka.');

export const changesPageSchema = z
  .object({
    changes: z
      .array(changeSchema)
      .describe(
        'W kolejności. Wpis zmieniony kilka razy jest tu raz, przy ostatniej zmianie i w obecnym stanie, więc zmian może być mniej, niż wynosi `limit`, a nawet ani jednej.',
      ),
    next: cursor.describe('Wartość `since` do następnego zapytania, także gdy nic nowego nie ma.'),
    hasMore: z.boolean().describe('Czy są już następne zmiany do pobrania.'),
  })
  .meta({ id: 'ChangesPage', description: 'Kolejne zmiany.' });

export type ChangesPage = Readonly<z.infer<typeof changesPageSchema>>;

const chunkSchema = z
  .object({
    path: z.string().describe('Ścieżka części w tym serwisie.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Suma SHA-256 bajtów przed kompresją, szesnastkowo.'),
    bytes: z.int().min(0).describe('Rozmiar przed kompresją.'),
    entries: z.int().min(0).describe('Ile wpisów jest w części.'),
  })
  .meta({ id: 'Chunk', description: 'Część listy.' });

const manifestListSchema = z
  .object({
    total: z.int().min(0).describe('Ile wpisów jest na liście.'),
    chunks: z.array(chunkSchema).describe('Części, z których składa się lista.'),
  })
  .meta({ id: 'ManifestList', description: 'Lista w manifeście.' });

export const FORMAT_VERSION = 1;

export const manifestSchema = z
  .object({
    formatVersion: z
      .literal(FORMAT_VERSION)
      .describe('Wersja formatu plików; jeśli jest inna niż 1, nie czytaj dalej.'),
    generation: z.int().min(0).describe('Numer ostatniej zmiany uwzględnionej w częściach.'),
    generatedAt: timestamp.describe('Kiedy powstał, ISO 8601 w UTC.'),
    cursor: cursor.describe('Wartość `since` do pierwszego zapytania o zmiany po wczytaniu części.'),
    lists: z
      .object({
        scammers: manifestListSchema.describe('Zgłoszone osoby.'),
        servers: manifestListSchema.describe('Zgłoszone serwery.'),
        legit: manifestListSchema.describe('Osoby zaufane.'),
      })
      .meta({ id: 'ManifestLists', description: 'Listy.' }),
  })
  .meta({ id: 'Manifest', description: 'Z jakich części składają się listy.' });

export const chunkEntriesSchema = z.array(mirrorEntrySchema);
