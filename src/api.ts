/** The interface: every endpoint but the one that describes them all, see src/site.ts. */
import * as changes from './pages/api/changes.ts';
import * as changeEvents from './pages/api/changes/events.ts';
import * as avatar from './pages/api/chat/avatar/[chatId].ts';
import * as check from './pages/api/check.ts';
import * as verdict from './pages/api/verdict.ts';
import * as verdicts from './pages/api/verdicts.ts';
import * as donateStatus from './pages/api/donate/status.ts';
import * as legit from './pages/api/legit.ts';
import * as scammers from './pages/api/scammers.ts';
import * as servers from './pages/api/servers.ts';
import * as status from './pages/api/status.ts';
import * as entriesFeed from './pages/feeds/[list].atom.ts';
import * as snapshotChunk from './pages/snapshots/[list]/[chunk].ts';
import * as snapshotManifest from './pages/snapshots/manifest.json.ts';
import * as statusHistory from './pages/api/status/history.ts';
import * as badge from './pages/badge/[id].svg.ts';
import * as healthz from './pages/healthz.ts';
import * as readyz from './pages/readyz.ts';
import * as incidents from './pages/status/incidents.atom.ts';

/** By the path that Astro's router gives it. */
export const API = {
  '/api/scammers': scammers,
  '/api/servers': servers,
  '/api/legit': legit,
  '/api/check': check,
  '/api/verdict': verdict,
  '/api/verdicts': verdicts,
  '/api/changes': changes,
  '/api/changes/events': changeEvents,
  '/api/status': status,
  '/api/donate/status': donateStatus,
  '/feeds/{list}.atom': entriesFeed,
  '/snapshots/manifest.json': snapshotManifest,
  '/snapshots/{list}/{chunk}': snapshotChunk,
  '/api/chat/avatar/{chatId}': avatar,
  '/api/status/history': statusHistory,
  '/badge/{id}.svg': badge,
  '/status/incidents.atom': incidents,
  '/healthz': healthz,
  '/readyz': readyz,
};
