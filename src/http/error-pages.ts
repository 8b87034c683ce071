/**
 * The prerendered error pages, held in memory: they must render when the database, or Astro itself, does not.
 * What only the moment of the error knows stands in the files as a placeholder.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ErrorPages {
  notFound(): string;
  rateLimited(seconds: number): string;
  /** @param incident the number that visitors can quote and operators find in the log */
  internal(incident: string): string;
}

/** Stands in src/pages/429.astro and src/pages/500.astro where the value belongs. */
export const SECONDS_PLACEHOLDER = '__SECONDS__';
export const INCIDENT_PLACEHOLDER = '__INCIDENT__';

/** Addresses of the prerendered files; asked for directly they are no pages. */
export function isErrorPage(path: string): boolean {
  return /^\/(?:404|429|500)(?:\/index)?(?:\.html?)?$/.test(path);
}

/** @param clientFolder Astro's `dist/client` */
export function readErrorPages(clientFolder: string): ErrorPages {
  const notFound = readFileSync(join(clientFolder, '404.html'), 'utf8');
  const rateLimited = readFileSync(join(clientFolder, '429/index.html'), 'utf8');
  const internal = readFileSync(join(clientFolder, '500.html'), 'utf8');
  return {
    notFound: () => notFound,
    rateLimited: (seconds) => rateLimited.replaceAll(SECONDS_PLACEHOLDER, String(seconds)),
    internal: (incident) => internal.replaceAll(INCIDENT_PLACEHOLDER, incident),
  };
}
