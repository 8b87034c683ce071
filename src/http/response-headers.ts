export const JSON_TYPE = 'application/json; charset=utf-8';
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8';

export const METHODS_ALLOWED = 'GET, HEAD, OPTIONS';

/** Every answer under /api. */
export const API_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Age, ' +
    'X-Error-Code, X-Request-Id, Deprecation, Sunset',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Browsers keep it for at most two hours. */
export const PREFLIGHT_HEADERS = {
  ...API_HEADERS,
  Allow: METHODS_ALLOWED,
  'Access-Control-Allow-Methods': METHODS_ALLOWED,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
} as const;

/** Everything outside the API: no inline script or style, no other host, no frame. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Cache-Control of endpoints and pages. */
export const CACHE_CONTROL = {
  /** SPEC 4.1 and 8. */
  entries: 'public, s-maxage=30, stale-while-revalidate=300',
  /** Never stale: proofs that become private leave other caches within 30 s. */
  proofs: 'public, s-maxage=30',
  /** SPEC 8. */
  status: 'public, s-maxage=15',
  /** Removed content disappears at once. */
  revalidated: 'public, no-cache',
  /** Mirrors see a removal within 30 s. */
  changes: 'public, s-maxage=30',
  avatar: 'public, max-age=3600',
  waitingAvatar: 'public, max-age=30',
  none: 'no-store',
} as const;

export type CacheName = keyof typeof CACHE_CONTROL;
