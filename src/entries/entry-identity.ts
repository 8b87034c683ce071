/**
 * Identifiers (SPEC 2.1). `_id` and `proofsId` are hashes of the report number, so that an export, which contains report
 * numbers only, brings the same ones back.
 */
import { hash, randomBytes } from 'node:crypto';

/** Crockford's Base32 without I, L, O and U, which people misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REPORT_ID_LENGTH = 10;
const ENTRY_ID_HEX = 24;
const PROOFS_ID_HEX = 32;

export function generateReportId(): string {
  return toReportId(randomBytes(REPORT_ID_LENGTH));
}

export function toReportId(bytes: Uint8Array): string {
  const digits = Array.from(bytes.subarray(0, REPORT_ID_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `R-${digits.join('')}`;
}

export function entryIdOf(reportId: string): string {
  return hash('sha256', `czujka entry ${reportId}`).slice(0, ENTRY_ID_HEX);
}

export function proofsIdOf(reportId: string): string {
  return hash('sha256', `czujka proofs ${reportId}`).slice(0, PROOFS_ID_HEX);
}

/** A permanent name derived from `_id` alone, independent of the site's address (RFC 9562, version 8). */
export function entryUrn(entryId: string): string {
  const digest = hash('sha256', `czujka urn ${entryId}`, 'buffer');
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')}`;
}
