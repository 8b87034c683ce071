/**
 * The public names of an entry (SPEC 2.1). `reportId` is drawn at random, or given by the operator, and never changes.
 * `_id` and `proofsId` follow from it by SHA-256, so that an export, whose format carries only the report number, makes
 * the same entry again in an empty database. They tell nothing of row numbers, of the person, or of each other.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Crockford's Base32: no I, L, O or U, which people confuse when they copy a number by hand. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REPORT_ID_LENGTH = 10;
const ENTRY_ID_HEX = 24;
const PROOFS_ID_HEX = 32;

/** Fifty random bits behind `R-`; the caller makes sure that it is new. */
export function drawReportId(): string {
  return toReportId(randomBytes(REPORT_ID_LENGTH));
}

/** @param bytes at least REPORT_ID_LENGTH; of each, the last five bits count */
export function toReportId(bytes: Uint8Array): string {
  const digits = Array.from(bytes.subarray(0, REPORT_ID_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `R-${digits.join('')}`;
}

export function entryIdOf(reportId: string): string {
  return digest('entry', reportId).slice(0, ENTRY_ID_HEX);
}

export function proofsIdOf(reportId: string): string {
  return digest('proofs', reportId).slice(0, PROOFS_ID_HEX);
}

function digest(purpose: string, reportId: string): string {
  return createHash('sha256').update(`czujka ${purpose} ${reportId}`).digest('hex');
}
