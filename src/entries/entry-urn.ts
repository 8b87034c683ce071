import { createHash } from 'node:crypto';

/** A name for the world that follows from `_id` alone: it stays when the site moves (RFC 9562, version 8). */
export function entryUrn(entryId: string): string {
  const digest = createHash('sha256').update(`czujka urn ${entryId}`).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `urn:uuid:${parts.join('-')}`;
}
