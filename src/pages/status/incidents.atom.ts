import { z } from 'zod';
import { readCreationTime } from '#src/changes/change-log.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { INCIDENTS_FEED_PATH, statusPath } from '#src/paths.ts';
import { listOutages } from '#src/status/incidents.ts';
import { ATOM_TYPE, renderAtom } from '#src/text/render-atom.ts';
import { SITE_NAME } from '../../components/layout/site-texts.ts';
import { STATUS } from '../../components/status/status-texts.ts';

const INCIDENTS_SHOWN = 50;

/** The newest incidents, with the operator's notes, as an Atom feed. */
export const GET = endpoint({
  operation: {
    id: 'readIncidents',
    tag: 'status',
    summary: 'Kanał Atom z awariami i uwagami operatora.',
    description: 'Awaria zaczyna się po dwóch złych pomiarach z rzędu i kończy po dwóch dobrych.',
    response: { description: 'Kanał.', content: { [ATOM_TYPE]: z.string() } },
  },
  rateLimit: 'feeds',
  cacheControl: 'status',
  cachedHereUntil: () => 'expiry',
  handle: (_query, { db, baseUrl }) => {
    const outages = listOutages(db, INCIDENTS_SHOWN);
    const page = baseUrl + statusPath();
    const body = renderAtom({
      self: baseUrl + INCIDENTS_FEED_PATH,
      page,
      title: STATUS.feedTitle,
      author: SITE_NAME,
      emptySince: readCreationTime(db),
      entries: outages.map((outage) => ({
        id: `${page}#zdarzenie-${outage.incident}`,
        page: `${page}#zdarzenie-${outage.incident}`,
        title: STATUS.outageTitle(outage),
        published: outage.openedAt,
        updated: outage.updatedAt,
        content: {
          type: 'text',
          text: [
            STATUS.outageTime(outage),
            ...(outage.parts.length > 1 ? [STATUS.outageParts(outage.parts)] : []),
            ...outage.notes,
          ].join('\n'),
        },
      })),
    });
    return { body, contentType: ATOM_TYPE };
  },
});
