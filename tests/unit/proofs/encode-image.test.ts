import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, encodePictures } from '#src/proofs/encode-image.ts';
import {
  insert,
  makeImage,
  makePhoto,
  makePixelBomb,
  METADATA_MARKER,
  pngChunk,
  SVG_WITH_SCRIPT,
} from '../../support/make-image.ts';

const FILM = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(999, 0xff)]);

async function pictures(bytes: Buffer) {
  const decoded = await decodeImage(bytes);
  if (!decoded.ok) throw new Error(decoded.problem);
  return encodePictures(decoded);
}

function sizes(made: Awaited<ReturnType<typeof pictures>>, format = 'webp'): string[] {
  return made.filter((picture) => picture.format === format).map(({ width, height }) => `${width}x${height}`);
}

function withByte(file: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(file);
  changed[at] = value;
  return changed;
}

function jpegSegment(marker: number, text: string): Buffer {
  const content = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content]);
}

describe('pictures of an image', () => {
  it('come in three sizes and two formats, none over 1600 px a side', async () => {
    const made = await pictures(await makeImage(1080, 2400).png().toBuffer());
    expect(sizes(made, 'webp')).toEqual(['216x480', '432x960', '720x1600']);
    expect(sizes(made, 'avif')).toEqual(sizes(made, 'webp'));
    for (const { bytes, format, width, height } of made) {
      if (format === 'avif') expect(bytes.subarray(4, 12).toString('latin1')).toBe('ftypavif');
      else expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height });
    }
  });

  it.each([
    [300, 200, ['300x200']],
    [480, 480, ['480x480']],
    [700, 500, ['480x343', '700x500']],
    [1600, 10, ['480x3', '960x6', '1600x10']],
    [1, 1, ['1x1']],
    [1, 16_000, ['1x1600']],
    [450, 961, ['225x480', '450x961']],
    [200, 481, ['200x481']],
    [2, 1_600, ['1x960', '2x1600']],
    [16_000, 1, ['480x1', '960x1', '1600x1']],
  ])('are never larger than the image: %d × %d', async (width, height, expected) => {
    expect(sizes(await pictures(await makeImage(width, height).png().toBuffer()))).toEqual(expected);
  });

  it.each<[string, (jpeg: Buffer, scan: number) => Buffer]>([
    ['wrong parameters of its scan', (jpeg, scan) => withByte(jpeg, scan + jpeg.readUInt16BE(scan + 2), 0)],
    ['bytes before a marker', (jpeg, scan) => insert(jpeg, scan, Buffer.from([1, 2, 3]))],
    ['a second picture and a film after it', (jpeg) => Buffer.concat([jpeg, jpeg, FILM])],
    [
      'unreadable metadata',
      (jpeg) => insert(jpeg, 2, jpegSegment(0xe1, `Exif\0\0II*\0${'\xff'.repeat(30)}`)),
    ],
    ['no profile', (jpeg) => insert(jpeg, 2, jpegSegment(0xe2, `ICC_PROFILE\0\x01\x01${'A'.repeat(200)}`))],
    ['an unknown colour transform', (jpeg) => insert(jpeg, 2, jpegSegment(0xee, 'Adobe\0\x64\0\0\0\0\x07'))],
  ])('are made of a jpeg with %s', async (_fault, spoil) => {
    const jpeg = await makeImage(64, 40).jpeg().toBuffer();
    const spoiled = spoil(jpeg, jpeg.lastIndexOf(Buffer.from([0xff, 0xda])));
    expect(sizes(await pictures(spoiled))).toEqual(['64x40']);
  });

  it('are made of other files with bytes after their end, or faults beside the picture', async () => {
    const [png, webp, gif] = await Promise.all(
      (['png', 'webp', 'gif'] as const).map((kind) => makeImage(64, 40).toFormat(kind).toBuffer()),
    );
    const profile = insert(png as Buffer, 33, pngChunk('iCCP', Buffer.from('x\0\0none')));
    const chunk = pngChunk('tEXt', Buffer.from('a\0b'));
    const text = insert(png as Buffer, 33, withByte(chunk, chunk.length - 1, 0));
    for (const file of [png, webp, gif, profile, text])
      expect(sizes(await pictures(Buffer.concat([file as Buffer, Buffer.alloc(999, 7)])))).toEqual(['64x40']);
  });

  it('show the first frame of a moving gif', async () => {
    const create = (background: string) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } });
    const colours = ['#0a0', '#a00', '#00a'];
    const frames = await Promise.all(colours.map((colour) => create(colour).png().toBuffer()));
    const gif = sharp(frames, { join: { animated: true } }).gif();
    const [picture] = (await pictures(await gif.toBuffer())).filter(({ format }) => format === 'webp');
    expect(picture).toMatchObject({ width: 40, height: 30 });
    const { dominant } = await sharp(picture?.bytes).stats();
    expect(dominant.g).toBeGreaterThan(100);
    expect(dominant.r).toBeLessThan(50);
  });

  it('are upright, and nothing of the metadata is left', async () => {
    const photo = await makePhoto(6);
    expect(photo.includes(METADATA_MARKER)).toBe(true);
    const made = await pictures(photo);
    expect(sizes(made)).toEqual(['240x480', '300x600']);
    for (const { bytes } of made)
      for (const trace of [METADATA_MARKER, 'Exif']) expect(bytes.includes(trace), trace).toBe(false);
    // Turned by a quarter, what was left is on top.
    const large = made.find(({ format, height }) => format === 'webp' && height === 600);
    const top = await sharp(large?.bytes).extract({ left: 0, top: 0, width: 300, height: 50 }).toBuffer();
    const { dominant } = await sharp(top).stats();
    expect(dominant.r).toBeGreaterThan(dominant.b);
  });
});

it('pictures have nothing of what a transparent part of an image hides', async () => {
  const secret = Buffer.alloc(64 * 40 * 4).fill(Buffer.from([200, 0, 0, 0]));
  const png = sharp(secret, { raw: { width: 64, height: 40, channels: 4 } }).png();
  const decoded = await decodeImage(await png.toBuffer());
  expect(decoded).toMatchObject({ ok: true, raw: { channels: 3 } });
  expect(decoded.ok && new Set(decoded.data)).toEqual(new Set([255]));
});

function noise() {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 200, height: 100, channels: 3, background: '#000', noise } });
}

const noImage = 'is no image by its content; allowed are png, jpeg, webp, gif';

it.each<[string, () => Buffer | Promise<Buffer>, string | RegExp]>([
  ['a bomb', makePixelBomb, 'has 30000 × 30000 pixels; at most 50 million are allowed'],
  ['an SVG', () => SVG_WITH_SCRIPT, noImage],
  ['a TIFF', () => makeImage().tiff().toBuffer(), noImage],
  ...['ftypheix', 'ftypmif1', 'ftypmsf1\0\0\0\0msf1hevc'].map((head): [string, () => Buffer, string] => [
    `a picture of a phone (${head.slice(0, 8)})`,
    () => Buffer.concat([Buffer.from(`\0\0\0\x18${head}`), Buffer.alloc(99)]),
    'is a HEIC picture; save it as JPEG',
  ]),
  ['a signature alone', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noImage],
  ...[2, 400].map((bytes): [string, () => Promise<Buffer>, RegExp] => [
    `a jpeg that breaks off ${bytes} bytes before its end`,
    async () => (await makePhoto()).subarray(0, -bytes),
    /^is damaged: .*premature end/i,
  ]),
  [
    'a jpeg whose second half is empty',
    async () => {
      const jpeg = await noise().jpeg().toBuffer();
      return jpeg.fill(0, jpeg.length >> 1, jpeg.length - 2);
    },
    /^is damaged: .*premature end/i,
  ],
  ...(['png', 'webp', 'gif'] as const).map((kind): [string, () => Promise<Buffer>, RegExp] => [
    `a ${kind} that breaks off`,
    async () => {
      const whole = await noise().toFormat(kind).toBuffer();
      return whole.subarray(0, -Math.ceil(whole.length / 3));
    },
    /^is (?:damaged: |no image)/,
  ]),
])('%s is refused', async (_name, make, problem) => {
  const decoded = await decodeImage(await make());
  expect(decoded.ok ? 'taken' : decoded.problem).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  );
});
