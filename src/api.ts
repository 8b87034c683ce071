/** All endpoints but `/openapi.json`, which describes them (src/pages/_api-document.ts). */
import { ALL as changes } from './pages/api/changes.ts';
import { ALL as changeEvents } from './pages/api/changes/events.ts';
import { ALL as avatar } from './pages/api/chat/avatar/[chatId].ts';
import { ALL as check } from './pages/api/check.ts';
import { ALL as verdict } from './pages/api/verdict.ts';
import { ALL as verdicts } from './pages/api/verdicts.ts';
import { ALL as donateStatus } from './pages/api/donate/status.ts';
import { ALL as legit } from './pages/api/legit.ts';
import { ALL as scammers } from './pages/api/scammers.ts';
import { ALL as servers } from './pages/api/servers.ts';
import { ALL as status } from './pages/api/status.ts';
import { ALL as entriesFeed } from './pages/feeds/[list].atom.ts';
import { ALL as snapshotChunk } from './pages/snapshots/[list]/[chunk].ts';
import { ALL as snapshotManifest } from './pages/snapshots/manifest.json.ts';
import { ALL as statusHistory } from './pages/api/status/history.ts';
import { ALL as badge } from './pages/badge/[id].svg.ts';
import { ALL as healthz } from './pages/healthz.ts';
import { ALL as readyz } from './pages/readyz.ts';
import { ALL as incidents } from './pages/status/incidents.atom.ts';

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
