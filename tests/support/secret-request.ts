import type { OutboundRequest } from '#src/outbound/outbound.ts';

export const SECRET = 'S3CRET';

/** Makes an outgoing request with a secret at every place where one can be. */
export function requestOf(origin: string, facts: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url: `${origin}/path-${SECRET}?token=${SECRET}`,
    headers: { Authorization: `Bearer ${SECRET}` },
    bodyMaxBytes: 1_000,
    ...facts,
  };
}
