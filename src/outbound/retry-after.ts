/** No answer may stop our calls for longer. */
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;
const RETRY_AFTER_MIN_MS = 1_000;

/**
 * RFC 9110 section 10.2.3.
 * @param now epoch milliseconds
 * @returns 1 s to 1 h in milliseconds; undefined for a missing or invalid header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const isSeconds = /^\d+(?:\.\d+)?$/.test(header.trim());
  // Date.parse alone accepts almost anything.
  const isDate = /^[A-Z][a-z]{2,8}, /.test(header);
  const waitMs = isSeconds ? Number(header) * 1000 : isDate ? Date.parse(header) - now : Number.NaN;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.ceil(Math.min(RETRY_AFTER_MAX_MS, Math.max(RETRY_AFTER_MIN_MS, waitMs)));
}
