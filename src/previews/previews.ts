/**
 * The pictures that chats show beside a link: those that were drawn, and who waits for one. `preview.ts` says what one
 * holds; `draw-preview.ts` draws it, beside the one thread and one at a time, with the shapes of `preview-marks.ts` and a
 * font that `fonts.conf` alone lets in.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createGate } from '../turns/gate.ts';
import type { Asker } from '../turns/gate.ts';
import type { Preview } from './preview.ts';

export interface Previews {
  /**
   * @param asker whose turn it takes
   * @returns a PNG; the same bytes for the same preview
   * @throws {OverloadedError} when too many wait already
   */
  draw(preview: Preview, asker: Asker): Promise<Buffer>;
  /** Of pictures that are kept. */
  readonly bytes: number;
}

/** Settings of the library that finds fonts: every machine draws the same, and none complains that it has no fonts. */
export const FONT_SETTINGS = join(import.meta.dirname, 'fonts.conf');

/** Some four hundred pictures. In memory only: they tell who was asked about. */
const KEPT_MAX_BYTES = 16 * 1024 * 1024;
/** Of one address: a chat asks for a picture or two of a message. */
const PLACES_PER_CLIENT = 8;
/** Places of all clients. */
const PLACES_MAX = 256;

/** @param draw by default loads what it needs when the first picture is asked for: few services are ever asked */
export function createPreviews(
  bytesMax = KEPT_MAX_BYTES,
  draw: (preview: Preview) => Promise<Buffer> = async (preview) =>
    (await import('./draw-preview.ts')).drawPreview(preview),
): Previews {
  /** By what they show, from the one that was asked for least recently. */
  const kept = new Map<string, Buffer>();
  let bytes = 0;
  const gate = createGate({
    concurrency: 1,
    placesPerClient: PLACES_PER_CLIENT,
    placesMax: PLACES_MAX,
    now: () => performance.now(),
  });

  const find = (key: string): Buffer | undefined => {
    const picture = kept.get(key);
    if (!picture) return undefined;
    kept.delete(key);
    kept.set(key, picture);
    return picture;
  };

  const keep = (key: string, picture: Buffer): void => {
    kept.set(key, picture);
    bytes += picture.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= bytesMax) return;
      kept.delete(oldest);
      bytes -= length;
    }
  };

  return {
    async draw(preview, asker) {
      const key = JSON.stringify(preview);
      const known = find(key);
      if (known) return known;
      return await gate.enter(asker, async () => {
        // Whoever waited before may have wanted the same.
        const drawn = find(key);
        if (drawn) return drawn;
        const picture = await draw(preview);
        keep(key, picture);
        return picture;
      });
    },
    get bytes() {
      return bytes;
    },
  };
}
