/** The failure of an outgoing call. It contains nothing that was sent or received, and may be logged. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /** Set when the other service answered with a status that is not accepted. */
  readonly status: number | undefined;

  /** @param origin scheme, host and port, or the path of a socket; never a path, query, header or credential */
  constructor(origin: string, detail: string, status?: number) {
    super(`${origin}: ${detail}`);
    this.status = status;
  }
}

/** Nothing was sent: the host asked for a pause, or the calls to it are used up. */
export class BackOffError extends OutboundError {}

export function isNotFound(error: unknown): boolean {
  return error instanceof OutboundError && error.status === 404;
}

/** For a `catch`: nothing was found. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
