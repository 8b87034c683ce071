/**
 * Asks again for a page about entries that the browser has kept: an entry may have been removed since, or added. Browsers
 * show kept pages on the way back, and Firefox follows stale-while-revalidate for every page.
 */
import { fetchPage } from './fetch-page.ts';

const OLD_MS = 60_000;

addEventListener('pageshow', ({ persisted }) => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isFromCache = visit?.transferSize === 0 && visit.type !== 'reload';
  const isKept = persisted ? performance.now() > OLD_MS : isFromCache;
  if (isKept && textOf(document) !== '') void renew();
});

async function renew(): Promise<void> {
  const answer = await fetchPage(location.href);
  // Without an answer, the visitor keeps what there is. A removed entry has a 404 or 410.
  if (!answer || answer.response.status >= 429) return;
  // Only then, because it would end a step back that the visitor has just taken.
  if (textOf(answer.page) !== textOf(document)) location.reload();
}

function textOf(page: Document): string {
  return Array.from(
    page.querySelectorAll('section.answer, ul.rows, .proof, .message > :is(.person, details)'),
    (part) => part.textContent,
  ).join('');
}
