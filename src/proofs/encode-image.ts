/**
 * Decodes an operator's image and encodes it again for visitors, so that nothing but pixels is published. Only the
 * operator's commands load this module: the web process never decodes an image.
 */
import sharp, { type Raw } from 'sharp';
import { PUBLIC_FORMATS, type PublicFormat } from './proof-files.ts';

/** Longest side in pixels: preview, phones, large. */
const SIDES = [480, 960, 1600] as const;
/** Bounds the decoder's memory, of which a small file may need much. */
export const PIXELS_MAX = 50_000_000;
const DECODE_TIMEOUT_S = 60;
/** A part of the picture is missing. Other warnings are about things around it, as some phones write them. */
const LOSS = /premature end|bad Huffman|instead of RST|not enough data/i;
/** Chosen by screenshots of chats, whose text stays sharp; a higher effort takes seconds and saves a few percent. */
const ENCODERS = {
  avif: { quality: 60, effort: 2 },
  webp: { quality: 82 },
} as const satisfies Record<PublicFormat, object>;
/** The file type box of HEIF with HEVC, in which phones save pictures. */
const HEIC = /^ftyp(?:he[iv][cxms]|mif1|msf1)$/;

export type Decoded =
  | { readonly ok: true; readonly data: Buffer; readonly raw: Raw }
  /** For operators, in English. */
  | { readonly ok: false; readonly problem: string };

// No other decoder ever runs, whatever the file claims to be: SVG, PDF and others can refer to files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

/** The first frame, upright, at most 1600 px a side, without metadata and colour profile; the file's name is ignored. */
export async function decodeImage(bytes: Buffer): Promise<Decoded> {
  const head = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!head && HEIC.test(bytes.toString('latin1', 4, 12)))
    return { ok: false, problem: 'is a HEIC picture; save it as JPEG' };
  if (!head) return { ok: false, problem: 'is no image by its content; allowed are png, jpeg, webp, gif' };
  if (head.width * head.height > PIXELS_MAX)
    return {
      ok: false,
      problem: `has ${head.width} × ${head.height} pixels; at most ${PIXELS_MAX / 1_000_000} million are allowed`,
    };
  try {
    const side = SIDES.at(-1);
    const warnings: string[] = [];
    const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
      .on('warning', (warning: string) => warnings.push(warning))
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .autoOrient()
      // A transparent part keeps its colours, for example a name that was erased in an editor.
      .flatten({ background: '#fff' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const loss = warnings.find((warning) => LOSS.test(warning));
    if (loss !== undefined) throw new Error(loss);
    return { ok: true, data, raw: { width: info.width, height: info.height, channels: info.channels } };
  } catch (error) {
    const [problem] = (error as Error).message.split('\n', 1);
    return { ok: false, problem: `is damaged: ${problem}` };
  }
}

/** @param path of a WebP */
export async function hasTransparency(path: string): Promise<boolean> {
  const { hasAlpha } = await sharp(path).metadata();
  return hasAlpha;
}

/** In both formats and every size up to the image's; no two of a format have the same width. */
export async function encodePictures({ data, raw }: Extract<Decoded, { ok: true }>) {
  const longest = Math.max(raw.width, raw.height);
  const sides = SIDES.filter((side, index) => side <= longest || (SIDES[index - 1] ?? 0) < longest);
  const sizes = sides.flatMap((side) => PUBLIC_FORMATS.map((format) => ({ side, format })));
  const pictures = await Array.fromAsync(sizes, async ({ side, format }) => {
    const { data: bytes, info } = await sharp(data, { raw })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, ENCODERS[format])
      .toBuffer({ resolveWithObject: true });
    return { format, width: info.width, height: info.height, bytes };
  });
  // Sizes of a narrow strip have one width, by which browsers choose: the largest stays.
  return [...new Map(pictures.map((picture) => [`${picture.format} ${picture.width}`, picture])).values()];
}
