/** How an outgoing call fails. Nothing of what was sent or received is in it: it may be logged as it is. */

export type OutboundFailure =
  /** The whole exchange, body included, took longer than its deadline. */
  | 'timeout'
  /** The caller's signal ended it. */
  | 'aborted'
  /** Refused, reset, cut off, unknown host, bad certificate. */
  | 'connection'
  /** The answer is not HTTP. */
  | 'not_http'
  /** A status that the caller does not accept. */
  | 'status'
  /** More redirects than allowed, or one to another host. */
  | 'redirect'
  /** A content type that the caller does not accept, or a compressed body. */
  | 'content_type'
  | 'too_large'
  /** Not the JSON, or not the shape, that was expected. */
  | 'shape'
  /** Nothing was sent: the host asked for a pause, or failed too often. */
  | 'backing_off';

export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: OutboundFailure;
  /** Scheme, host and port, or the path of a socket; never path, query, headers or credentials. */
  readonly origin: string;
  /** Status of the answer; set for `status`. */
  readonly status: number | undefined;
  /** How long the host wants to be left alone; set where it said so, and for `backing_off`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: OutboundFailure,
    origin: string,
    detail: string,
    facts: { readonly status?: number | undefined; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`${origin}: ${detail}`);
    this.reason = reason;
    this.origin = origin;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
