import { z } from 'zod';
import { createQueryParser, textParameter } from '../text/read-query.ts';
import { ID_MAX, SEARCH_MAX } from './entry.ts';

export const SORTS = ['newest', 'oldest', 'popular', 'popular_asc', 'az', 'za'] as const;
export const STATUSES = ['all', 'verified', 'risk'] as const;
export const PROOFS_FILTERS = ['all', 'with', 'private'] as const;
export type Sort = (typeof SORTS)[number];
export type Status = (typeof STATUSES)[number];
export type ProofsFilter = (typeof PROOFS_FILTERS)[number];

export const SKIP_MAX = 20_000;
export const LIMIT_MAX = 60;
const LIMIT_DEFAULT = 30;

export const listQuerySchema = z.object({
  search: textParameter(SEARCH_MAX).describe(
    'Szuka w nicku lub nazwie, w ID i w powodzie. Wielkość liter i znaki diakrytyczne nie mają znaczenia.',
  ),
  id: textParameter(ID_MAX).describe('Wpis o dokładnie tym ID. Ma pierwszeństwo przed `search`.'),
  sort: z
    .enum(SORTS)
    .meta({ id: 'Sort' })
    .default('newest')
    .describe(
      'Kolejność: `newest` najnowsze, `oldest` najstarsze, `popular` najczęściej oglądane, `popular_asc` najrzadziej oglądane, `az` i `za` po nazwie.',
    ),
  status: z
    .enum(STATUSES)
    .meta({ id: 'EntryStatus' })
    .default('all')
    .describe(
      '`all`: wszystkie; `verified`: potwierdzone; `risk`: zgłoszenie niepotwierdzone. Przy `/api/legit` parametr jest pomijany, bo lista zaufanych ma tylko potwierdzone.',
    ),
  proofs: z
    .enum(PROOFS_FILTERS)
    .meta({ id: 'ProofsFilter' })
    .default('all')
    .describe('`all` wszystkie, `with` z dowodami, `private` z niepublicznymi dowodami.'),
  skip: z.int().min(0).max(SKIP_MAX).default(0).describe('Ile wpisów pominąć.'),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe('Ile wpisów podać.'),
});

export type ListQuery = Readonly<z.output<typeof listQuerySchema>>;

export const parseListQuery = createQueryParser(listQuerySchema);
