/**
 * Makes the pictures that visitors get of an operator's image: decoded and encoded again, so that nothing but pixels
 * goes through. Only the operator's commands load this module; the web process never decodes an image.
 */
import sharp from 'sharp';
import type { Raw } from 'sharp';
import type { ImageFormat } from './proof-files.ts';

/** Longest side of the pictures: a preview, one for phones, the large one. */
const SIDES = [480, 960, 1600] as const;
/** A decoder may need some bytes a pixel: this bounds what a small file can ask for. */
export const PIXELS_MAX = 50_000_000;
const DECODE_TIMEOUT_S = 60;
/** By eye on screenshots of chats: text stays sharp; a higher effort costs seconds and saves some percent. */
const ENCODERS = {
  avif: { quality: 60, effort: 2 },
  webp: { quality: 82 },
} as const satisfies Record<ImageFormat, object>;

export interface Picture {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

export type Decoded =
  | { readonly ok: true; readonly data: Buffer; readonly raw: Raw }
  /** In English: operators read it. */
  | { readonly ok: false; readonly problem: string };

// Whatever a file claims to be, no other decoder ever runs: SVG, PDF and the like can refer to other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

/** Turned upright, at most 1600 px a side, first frame; metadata and colour profile are gone. */
export async function decodeImage(bytes: Buffer, kind: string): Promise<Decoded> {
  try {
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (format !== kind) return { ok: false, problem: `is ${format}, though it begins like ${kind}` };
    if (width * height > PIXELS_MAX) {
      return {
        ok: false,
        problem: `has ${width} × ${height} pixels; at most ${PIXELS_MAX / 1_000_000} million are allowed`,
      };
    }
    const side = SIDES.at(-1);
    const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'warning', pages: 1 })
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { ok: true, data, raw: { width: info.width, height: info.height, channels: info.channels } };
  } catch (error) {
    return { ok: false, problem: `is damaged: ${firstLine((error as Error).message)}` };
  }
}

/** In every size that is not larger than the image, and in both formats. */
export async function encodePictures({ data, raw }: Extract<Decoded, { ok: true }>): Promise<Picture[]> {
  const longest = Math.max(raw.width, raw.height);
  const sides = SIDES.filter((side, index) => side <= longest || (SIDES[index - 1] ?? 0) < longest);
  const pictures: Picture[] = [];
  for (const side of sides) {
    for (const format of ['avif', 'webp'] as const) {
      const { data: bytes, info } = await sharp(data, { raw })
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .toFormat(format, ENCODERS[format])
        .toBuffer({ resolveWithObject: true });
      pictures.push({ format, width: info.width, height: info.height, bytes });
    }
  }
  return pictures;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
