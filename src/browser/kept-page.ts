/**
 * Asks again for a page about entries that the browser has kept: an entry may have been removed since, or added. Browsers
 * show kept pages on the way back, and Firefox follows stale-while-revalidate for every page.
 */
const OLD_MS = 60_000;

addEventListener('pageshow', ({ persisted }) => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isFromCache = visit?.transferSize === 0 && visit.type !== 'reload';
  const isKept = persisted ? performance.now() > OLD_MS : isFromCache;
  if (isKept && document.querySelector('[data-result], ul.rows, .proofs-head')) void renew();
});

async function renew(): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-cache' }).catch(() => undefined);
  // Without an answer, the visitor keeps what there is. An entry that was removed has a 404 or 410.
  if (response?.ok || response?.status === 404 || response?.status === 410) location.reload();
}
