/**
 * A chat platform on the loopback net, with invented faces: its interface says what picture a user has (Discord REST
 * v10), its CDN sends it. Some have none, and some fail. A Pterodactyl panel beside it says how the bots do; the demo's
 * own process stands in for each.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

export interface ChatPlatform {
  readonly settings: Readonly<Record<string, string>>;
  close(): void;
}

const SIDE = 128;

/** @param knows whether there is such an account */
export async function startChatPlatform(knows: (id: string) => boolean = () => true): Promise<ChatPlatform> {
  const api = await listen((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/api/client/servers/'))
      return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(readUsage()));
    const id = path.split('/').at(-1) ?? '';
    if (id === 'gateway')
      return void response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ url: 'wss://gateway.example' }));
    if (!knows(id)) return void response.writeHead(404).end();
    const [kind = 0] = digest(id);
    // One in eight has no picture.
    const avatar = kind % 8 === 6 ? null : digest(id).toString('hex').slice(0, 32);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ id, avatar }));
  });
  const cdn = await listen((request, response) => {
    const [, kind, id = ''] = request.url?.split('/') ?? [];
    // Of one in eight it is lost.
    if (kind === 'avatars' && (digest(id)[0] ?? 0) % 8 === 7) return void response.writeHead(404).end();
    // Also for webp URLs: clients tell the type by the bytes.
    const picture = paint(kind === 'avatars' ? faceOf(digest(id)) : DEFAULT_PICTURE);
    void picture.then((bytes) => response.end(bytes));
  });
  return {
    settings: {
      CHAT_PLATFORM_API_URL: originOf(api),
      CHAT_PLATFORM_CDN_URL: originOf(cdn),
      CHAT_PLATFORM_TOKEN: 'demo',
      CHAT_PLATFORM_CALLS_PER_SECOND: '40',
      BOT_PANEL_URL: originOf(api),
      BOT_PANEL_KEY: 'demo',
      BOT_MAIN: 'panel:main',
      BOT_PROTECTION_PUBLIC: 'panel:public',
      BOT_PROTECTION_ADMIN: 'panel:admin',
    },
    close() {
      for (const server of [api, cdn]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** The panel's answer about a server: `client/servers/ID/resources`. */
function readUsage(): object {
  const uptime = Math.round(process.uptime() * 1_000);
  const resources = { uptime, memory_bytes: process.memoryUsage.rss(), cpu_absolute: 1.5 };
  return { object: 'stats', attributes: { current_state: 'running', is_suspended: false, resources } };
}

function digest(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** Draws a face of loud colours, on white, black and other grounds: what people choose, and none of it ours. */
function faceOf(bytes: Buffer): string {
  const colour = (place: number): string => `rgb(${bytes.subarray(place, place + 3).join()})`;
  const grounds = ['white', 'black', colour(3), 'orange'];
  const skin = (bytes[2] ?? 0) % 2 === 0 ? '#f2c9a0' : '#8d5524';
  const oval = (fill: string, x: number, y: number, width: number, height: number): string =>
    `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="${fill}"/>`;
  return [
    `<rect width="100" height="100" fill="${grounds[(bytes[1] ?? 0) % grounds.length]}"/>`,
    oval(colour(6), 50, 106, 42, 34),
    oval(colour(9), 50, 40, 28, 30),
    oval(skin, 50, 50, 23, 28),
    oval('#781e28', 50, 62, 10, 2),
    oval('#141414', 40, 47, 3, 3),
    oval('#141414', 60, 47, 3, 3),
  ].join('');
}

const DEFAULT_PICTURE =
  '<rect width="100" height="100" fill="#5865f2"/><rect x="27" y="33" width="46" height="34" fill="white"/>';

function paint(shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${SIDE}" height="${SIDE}">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
