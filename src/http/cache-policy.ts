/** Values of Cache-Control that the contract names. */

/** Lists and check (SPEC 4.1 and 8), and pages that show the same. */
export const LISTS_CACHE = 'public, s-maxage=30, stale-while-revalidate=300';
/** Proofs: as the lists, but never stale: what is made private is gone from other caches within half a minute. */
export const PROOFS_CACHE = 'public, s-maxage=30';
/** Status (SPEC 8). */
export const STATUS_CACHE = 'public, s-maxage=15';
/** May be kept, and is asked for again each time: what is taken back is gone at once. */
export const REVALIDATED_CACHE = 'public, no-cache';
export const NO_STORE = 'no-store';
