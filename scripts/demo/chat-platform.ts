/**
 * A chat platform on the loopback net, with invented faces: its interface says what picture a user has (Discord REST
 * v10), its CDN sends it. Some have none, and some fail. A Pterodactyl panel beside it says how the bots do; the demo's
 * own process stands in for each.
 */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { startStandIn } from './stand-in.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** Its place and radii are percent of the side, from the upper left corner. */
type Oval = readonly [colour: Colour, x: number, y: number, radiusX: number, radiusY: number];

const SIDE = 128;
const WHITE: Colour = [255, 255, 255];
/** Others get a colour of their own. */
const GROUNDS: readonly Colour[] = [WHITE, [0, 0, 0], [255, 165, 0]];
const DEFAULT_GROUND: Colour = [88, 101, 242];

/** @param knows whether there is such an account */
export async function startChatPlatform(knows: (id: string) => boolean = () => true) {
  const api = await startStandIn(async ({ url: path = '' }) => {
    if (path.startsWith('/api/client/servers/')) return readUsage();
    const id = path.split('/').at(-1) ?? '';
    if (id === 'gateway') return { url: 'wss://gateway.example' };
    if (!knows(id)) return undefined;
    const [kind = 0] = digest(id);
    // One in eight has no picture.
    return { id, avatar: kind % 8 === 6 ? null : digest(id).toString('hex').slice(0, 32) };
  });
  const cdn = await startStandIn(async ({ url = '' }) => {
    const [, kind, id = ''] = url.split('/');
    if (kind !== 'avatars') return paint(DEFAULT_GROUND, [[WHITE, 50, 50, 23, 17]]);
    // Of one in eight it is lost.
    return (digest(id)[0] ?? 0) % 8 === 7 ? undefined : paintFace(digest(id));
  });
  return {
    settings: {
      CHAT_PLATFORM_API_URL: api.url,
      CHAT_PLATFORM_CDN_URL: cdn.url,
      CHAT_PLATFORM_TOKEN: 'demo',
      CHAT_PLATFORM_CALLS_PER_SECOND: '40',
      BOT_PANEL_URL: api.url,
      BOT_PANEL_KEY: 'demo',
      BOT_MAIN: 'panel:main',
      BOT_PROTECTION_PUBLIC: 'panel:public',
      BOT_PROTECTION_ADMIN: 'panel:admin',
    },
    close(): void {
      for (const standIn of [api, cdn]) standIn.close();
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

/** Paints a face of loud colours, on white, black and other grounds: what people choose, and none of it ours. */
function paintFace(bytes: Buffer): Promise<Buffer> {
  const at = (place: number): number => bytes[place] ?? 0;
  const colour = (place: number): Colour => [at(place), at(place + 1), at(place + 2)];
  return paint(GROUNDS[at(1) % 4] ?? colour(3), [
    [colour(6), 50, 106, 42, 34],
    [colour(9), 50, 40, 28, 30],
    [at(2) % 2 === 0 ? [242, 201, 160] : [141, 85, 36], 50, 50, 23, 28],
    [[120, 30, 40], 50, 62, 10, 2],
    [[20, 20, 20], 40, 47, 3, 3],
    [[20, 20, 20], 60, 47, 3, 3],
  ]);
}

/** From raw pixels: the pictures of proofs switch off every decoder of this process that could read a drawing. */
function paint(ground: Colour, ovals: readonly Oval[]): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  const percent = (pixel: number): number => ((pixel + 0.5) * 100) / SIDE;
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      const top = ovals.findLast(
        ([, left, upper, radiusX, radiusY]) =>
          Math.hypot((percent(x) - left) / radiusX, (percent(y) - upper) / radiusY) <= 1,
      );
      pixels.set(top?.[0] ?? ground, (y * SIDE + x) * 3);
    }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
}
