/** Values of Cache-Control that the contract names. */

/** Lists and check (SPEC 4.1 and 8), and pages that show the same. */
export const LISTS_CACHE = 'public, s-maxage=30, stale-while-revalidate=300';
/** Proofs: as the lists, but never stale: what is made private is gone from other caches within half a minute. */
export const PROOFS_CACHE = 'public, s-maxage=30';
/** Status (SPEC 8). */
export const STATUS_CACHE = 'public, s-maxage=15';
/** May be kept, and is asked for again each time: what is taken back is gone at once. */
export const REVALIDATED_CACHE = 'public, no-cache';
/** Changes of the lists: mirrors learn of a removal within half a minute, whatever stands between. */
export const CHANGES_CACHE = 'public, s-maxage=30';
/** A chunk never changes, but may have to vanish: nobody keeps it for longer than an hour. */
export const CHUNK_CACHE = 'public, max-age=3600';
/** Avatars, and drawings that stand in until the platform has answered. */
export const AVATAR_CACHE = 'public, max-age=3600';
export const AVATAR_WAITING_CACHE = 'public, max-age=30';
export const NO_STORE = 'no-store';
