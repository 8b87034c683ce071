/**
 * The prerendered error pages, held in memory: they must render when the database, or Astro itself, does not.
 * What only the moment of the error knows stands in the files as a placeholder.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ErrorPages {
  notFound(): string;
  rateLimited(seconds: number): string;
  /** @param address of the page that was asked for, as it stands in a link */
  overloaded(seconds: number, address: string): string;
  /** @param incident the number that visitors can quote and operators find in the log */
  internal(incident: string): string;
}

/** Stand in src/pages/429.astro, 500.astro and 503.astro where the values belong. */
export const SECONDS_PLACEHOLDER = '__SECONDS__';
export const ADDRESS_PLACEHOLDER = '__ADDRESS__';
export const INCIDENT_PLACEHOLDER = '__INCIDENT__';

/** Addresses of the prerendered files; asked for directly they are no pages. */
export function isErrorPage(path: string): boolean {
  return /^\/(?:404|429|500|503)(?:\/index)?(?:\.html?)?$/.test(path);
}

/** @param clientFolder Astro's `dist/client` */
export function readErrorPages(clientFolder: string): ErrorPages {
  const notFound = readFileSync(join(clientFolder, '404.html'), 'utf8');
  const rateLimited = readFileSync(join(clientFolder, '429/index.html'), 'utf8');
  // In parts, so that what a visitor puts into an address is never taken for a placeholder.
  const overloaded = readFileSync(join(clientFolder, '503/index.html'), 'utf8').split(ADDRESS_PLACEHOLDER);
  const internal = readFileSync(join(clientFolder, '500.html'), 'utf8');
  return {
    notFound: () => notFound,
    rateLimited: (seconds) => rateLimited.replaceAll(SECONDS_PLACEHOLDER, String(seconds)),
    overloaded: (seconds, address) => {
      const link = escapeAttribute(address);
      return overloaded.map((part) => part.replaceAll(SECONDS_PLACEHOLDER, String(seconds))).join(link);
    },
    internal: (incident) => internal.replaceAll(INCIDENT_PLACEHOLDER, incident),
  };
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
