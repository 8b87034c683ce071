import { z } from 'zod';

/** The API sends exactly these keys, in this order. */
export const listEntrySchema = z
  .object({
    _id: z.string().describe('Wewnętrzne ID wpisu.'),
    name: z.string().describe('Nick osoby albo nazwa serwera.'),
    id: z
      .string()
      .describe('ID na platformie. To tekst, bo jako liczba traci ostatnie cyfry i wskazuje kogoś innego.'),
    descHtml: z.string().describe('Co się stało, jako HTML. Oczyść go, zanim wstawisz go na swoją stronę.'),
    verified: z.boolean().describe('`true`: wpis potwierdzony, `false`: zgłoszenie niepotwierdzone.'),
    proofsId: z
      .string()
      .nullable()
      .describe('ID dowodów; ich strona to `/proofs/{proofsId}`. `null`, gdy ich nie ma.'),
    reportId: z.string().describe('Numer zgłoszenia, podawany w odwołaniu.'),
  })
  .meta({ id: 'ListEntry', description: 'Wpis na liście.' });

export type ListEntry = Readonly<z.infer<typeof listEntrySchema>>;

export const listResponseSchema = z
  .object({
    data: z.array(listEntrySchema).describe('Strona wyników.'),
    total: z.int().min(0).describe('Liczba wszystkich pasujących wpisów.'),
    hasMore: z.boolean().describe('Czy za tą stroną są następne.'),
  })
  .meta({ id: 'ListResponse', description: 'Strona listy.' });
