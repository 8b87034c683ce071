/** What pages load: built files of the site. */
import type { FrontDoor, Visit } from './visit.ts';

/** What is served so does not wait for the batch. */
export function serveFile(door: FrontDoor, visit: Visit, next: () => void): void {
  const { request, response, begunAt } = visit;
  const { meter } = door;
  const measure = (): void => meter?.end('file', response.statusCode, begunAt, request);
  if (meter) response.once('finish', measure);
  door.serveStatic(request, response, () => {
    response.removeListener('finish', measure);
    next();
  });
}

/** What a page loads has an extension; pages have none. */
export function isFile(path: string): boolean {
  return /\.[a-z0-9]+$/.test(path);
}
