/** The failure of an outgoing call. It contains nothing that was sent or received, and may be logged. */

export type OutboundFailure =
  /** The exchange took longer than its deadline. */
  | 'timeout'
  /** The caller's signal aborted. */
  | 'aborted'
  | 'connection'
  | 'not_http'
  | 'status'
  | 'redirect'
  /** Also a compressed body. */
  | 'content_type'
  | 'too_large'
  /** Not the expected JSON. */
  | 'shape'
  /** Nothing was sent: the host asked for a pause. */
  | 'backing_off';

export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: OutboundFailure;
  /** Scheme, host and port, or the path of a socket; never a path, query, header or credential. */
  readonly origin: string;
  /** Set for `status`. */
  readonly status: number | undefined;
  /** The pause that the host asked for; also set for `backing_off`. */
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
