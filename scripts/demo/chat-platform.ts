/**
 * A chat platform on the loopback net, with invented faces: its interface says what picture a user has (Discord REST
 * v10), its CDN sends it. Some have none, and some fail. A Pterodactyl panel beside it says how the bots do; the demo's own
 * process stands in for each.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

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
    response.end(paint(kind === 'avatars' ? faceOf(digest(id)) : paintDefault));
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
  const { user, system } = process.cpuUsage();
  const uptime = Math.round(process.uptime() * 1_000);
  const resources = {
    uptime,
    memory_bytes: process.memoryUsage.rss(),
    cpu_absolute: (user + system) / 10 / uptime,
  };
  return { object: 'stats', attributes: { current_state: 'running', is_suspended: false, resources } };
}

function digest(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

type Colour = readonly [number, number, number];
/** @returns the colour of a point of the unit square */
type Painting = (x: number, y: number) => Colour;

/** @returns a png */
function paint(painting: Painting): Buffer {
  const rows = Buffer.alloc(SIDE * (SIDE * 3 + 1));
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) rows.set(painting(x / SIDE, y / SIDE), y * (SIDE * 3 + 1) + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2], 8); // Eight bits a channel, three channels.
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Loud colours, shades, white and black grounds: what people choose, and none of it ours. */
function faceOf(bytes: Buffer): Painting {
  const colour = (place: number): Colour => [bytes[place] ?? 0, bytes[place + 1] ?? 0, bytes[place + 2] ?? 0];
  const grounds = [[255, 255, 255], [0, 0, 0], colour(3), undefined] as const;
  const ground = grounds[(bytes[1] ?? 0) % grounds.length];
  const [coat, hair] = [colour(6), colour(9)];
  const skin: Colour = (bytes[2] ?? 0) % 2 === 0 ? [242, 201, 160] : [141, 85, 36];
  const inside = (x: number, y: number, middle: readonly [number, number], width: number, height: number) =>
    ((x - middle[0]) / width) ** 2 + ((y - middle[1]) / height) ** 2 < 1;
  return (x, y) => {
    if (inside(x, y, [0.4, 0.47], 0.03, 0.03) || inside(x, y, [0.6, 0.47], 0.03, 0.03)) return [20, 20, 20];
    if (inside(x, y, [0.5, 0.62], 0.1, 0.02)) return [120, 30, 40];
    if (inside(x, y, [0.5, 0.5], 0.23, 0.28)) return skin;
    if (inside(x, y, [0.5, 0.4], 0.28, 0.3)) return hair;
    if (inside(x, y, [0.5, 1.06], 0.42, 0.34)) return coat;
    return ground ?? [x * 255, y * 200, 255 - x * 128];
  };
}

const paintDefault: Painting = (x, y) =>
  x > 0.27 && x < 0.73 && y > 0.33 && y < 0.67 ? [255, 255, 255] : [88, 101, 242];

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
