/** The parameters of the history. */
import { z } from 'zod';
import { createQueryParser } from '../text/query-schema.ts';
import { HISTORY_RANGE_NAMES } from './periods.ts';
import { PART_IDS } from './status.ts';

export const historyQuerySchema = z.object({
  id: z.enum(PART_IDS).describe('ID usługi albo bota, jak w `/api/status`.'),
  range: z
    .enum(HISTORY_RANGE_NAMES)
    .default('24h')
    .describe('`24h` co 5 minut, `7d` co godzinę, `90d` co dzień (w UTC).'),
});

export const parseHistoryQuery = createQueryParser(historyQuerySchema);
