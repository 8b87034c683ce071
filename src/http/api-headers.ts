/** Headers that every answer under /api carries. */

export const JSON_TYPE = 'application/json; charset=utf-8';
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8';

export const METHODS_ALLOWED = 'GET, HEAD, OPTIONS';

export const API_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Age',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Answer to a CORS preflight; browsers keep it for at most two hours. */
export const PREFLIGHT_HEADERS = {
  ...API_HEADERS,
  Allow: METHODS_ALLOWED,
  'Access-Control-Allow-Methods': METHODS_ALLOWED,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
} as const;
