import { z } from 'zod';
import { readCreationTime } from '#src/changes/change-log.ts';
import { parseListKind } from '#src/entries/entry.ts';
import { entryUrn } from '#src/entries/entry-identity.ts';
import { listKindSchema } from '#src/entries/mirror-schema.ts';
import { LIMIT_MAX, parseListQuery } from '#src/entries/list-query.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { entryPath, feedPath, listPath } from '#src/paths.ts';
import { ATOM_TYPE, renderAtom } from '#src/text/render-atom.ts';
import { FEEDS } from '../../components/list/lists-texts.ts';
import { badgeWord } from '../../components/ui/roles-texts.ts';
import { SITE_NAME } from '../../components/layout/site-texts.ts';

const NEWEST_VERIFIED = { ...parseListQuery([]).query, status: 'verified', limit: LIMIT_MAX } as const;

/** The newest verified entries of a list, as many as a page of the interface holds at most. */
export const GET = endpoint({
  operation: {
    id: 'readFeed',
    tag: 'rest',
    summary: 'Kanał Atom z 60 najnowszymi potwierdzonymi wpisami listy.',
    description: 'Najnowsze na początku. Usunięty wpis znika z kanału od razu.',
    path: z.object({ list: listKindSchema.describe('Która lista.') }),
    response: { description: 'Kanał.', content: { [ATOM_TYPE]: z.string() } },
    errors: ['not_found'],
  },
  rateLimit: 'feeds',
  cacheControl: 'entries',
  parse: ({ path }) => {
    const list = parseListKind(path['list'] ?? '');
    if (!list) throw new ApiError('not_found');
    return { query: list, problems: [] };
  },
  handle: async (list, { db, listReader, baseUrl, operator }, requester) => {
    const newest = await listReader.listFullEntries(list, NEWEST_VERIFIED, requester);
    return {
      contentType: ATOM_TYPE,
      body: renderAtom({
        title: FEEDS.title(list),
        author: operator.name ?? SITE_NAME,
        self: baseUrl + feedPath(list),
        page: baseUrl + listPath(list),
        emptySince: readCreationTime(db),
        entries: newest.map((entry) => ({
          id: entryUrn(entry._id),
          title: entry.account === 'hijacked' ? `${badgeWord('victim', list)}: ${entry.name}` : entry.name,
          page: baseUrl + entryPath(entry),
          content: { type: 'html', text: entry.descHtml },
          published: entry.reportedAt,
          updated: entry.updatedAt,
        })),
      }),
    };
  },
});
