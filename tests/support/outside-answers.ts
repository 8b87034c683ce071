/** Answers of outside services, after their documentation and sources; each names its own. Most tell more than this. */
import type { RequestListener } from 'node:http';

/** Discord REST v10, `GET /gateway` (docs.discord.com, Gateway). */
export const DISCORD_GATEWAY = { url: 'wss://gateway.discord.gg/' } as const;

export function sendJson(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
