/** Strong validators and conditional requests (RFC 9110 sections 8.8.3 and 13.1.2). */
import { hash } from 'node:crypto';

/** 128 bits are plenty: nobody gains from making two answers collide. */
const TAG_LENGTH = 22;

export function strongEtag(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/** Whether `If-None-Match` names this tag; compared weakly, as RFC 9110 section 13.1.2 asks. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
