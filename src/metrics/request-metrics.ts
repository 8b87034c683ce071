/** Requests as the front door tells of them. Routes are those that were declared: no address, name or ID is a label. */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { RequestMeter } from '../http/request-meter.ts';

/** From an answer of the cache to a search that had to wait. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Counted {
  inc(): void;
}

interface Observed {
  observe(seconds: number): void;
}

/** What a request costs is looked up by route and status once: labels are put together only for the first one. */
export function createRequestMetrics(registry: Registry): RequestMeter {
  const requests = new Counter({
    name: 'czujka_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'czujka_request_seconds',
    help: 'From the head of a request to the head of its answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [registry],
  });
  const looks = new Counter({
    name: 'czujka_cache_looks_total',
    help: 'Looks into the shared cache, by what they found.',
    labelNames: ['found'],
    registers: [registry],
  });
  const found: Counted = looks.labels('hit');
  const missed: Counted = looks.labels('miss');
  const routes = new Map<string, { readonly time: Observed; readonly statuses: Map<number, Counted> }>();
  return {
    begin: () => performance.now(),
    looked(wasFound) {
      (wasFound ? found : missed).inc();
    },
    end(route, status, begunAt) {
      let known = routes.get(route);
      if (!known) routes.set(route, (known = { time: seconds.labels(route), statuses: new Map() }));
      let counted = known.statuses.get(status);
      if (!counted) known.statuses.set(status, (counted = requests.labels(route, String(status))));
      counted.inc();
      known.time.observe((performance.now() - begunAt) / 1_000);
    },
  };
}
