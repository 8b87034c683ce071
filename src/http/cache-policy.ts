/** Values of Cache-Control that the contract names. */

/** Lists and check (SPEC 4.1 and 8), and pages that show the same. */
export const LISTS_CACHE = 'public, s-maxage=30, stale-while-revalidate=300';
/** Status (SPEC 8). */
export const STATUS_CACHE = 'public, s-maxage=15';
export const NO_STORE = 'no-store';
