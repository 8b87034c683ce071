import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, encodePictures, type Picture } from '#src/proofs/encode-image.ts';
import {
  makeImage,
  makePhoto,
  makePixelBomb,
  METADATA_MARKER,
  SVG_WITH_SCRIPT,
} from '../../support/make-image.ts';

async function pictures(bytes: Buffer): Promise<Picture[]> {
  const decoded = await decodeImage(bytes);
  if (!decoded.ok) throw new Error(decoded.problem);
  return encodePictures(decoded);
}

function sizes(made: readonly Picture[], format = 'webp'): string[] {
  return made.filter((picture) => picture.format === format).map(({ width, height }) => `${width}x${height}`);
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
  ])('are never larger than the image: %d × %d', async (width, height, expected) => {
    expect(sizes(await pictures(await makeImage(width, height).png().toBuffer()))).toEqual(expected);
  });

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('are made of %s', async (kind) => {
    const made = await pictures(await makeImage(64, 40).toFormat(kind).toBuffer());
    expect(sizes(made)).toEqual(['64x40']);
  });

  it('show the first frame of a moving gif', async () => {
    const frames = await Promise.all(
      ['#0a0', '#a00', '#00a'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const [picture] = (await pictures(gif)).filter(({ format }) => format === 'webp');
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
    for (const { bytes } of made) {
      expect(bytes.includes(METADATA_MARKER)).toBe(false);
      expect(bytes.includes('Exif')).toBe(false);
    }
    // Turned by a quarter, what was left is on top.
    const large = made.find(({ format, height }) => format === 'webp' && height === 600);
    const top = await sharp(large?.bytes).extract({ left: 0, top: 0, width: 300, height: 50 }).toBuffer();
    const { dominant } = await sharp(top).stats();
    expect(dominant.r).toBeGreaterThan(dominant.b);
  });
});

const noImage = 'is no image by its content; allowed are png, jpeg, webp, gif';

it.each<[string, () => Buffer | Promise<Buffer>, string | RegExp]>([
  ['a bomb', makePixelBomb, 'has 30000 × 30000 pixels; at most 50 million are allowed'],
  ['an SVG', () => SVG_WITH_SCRIPT, noImage],
  ['a TIFF', () => makeImage().tiff().toBuffer(), noImage],
  ['a signature alone', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noImage],
  [
    'a jpeg that breaks off',
    async () => (await makePhoto()).subarray(0, -400),
    /^is damaged: .*premature end/i,
  ],
  [
    'a png that breaks off',
    async () => (await makeImage().png({ compressionLevel: 0 }).toBuffer()).subarray(0, 20_000),
    /^is damaged: /,
  ],
])('%s is refused', async (_name, make, problem) => {
  const decoded = await decodeImage(await make());
  expect(decoded.ok ? 'taken' : decoded.problem).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  );
});
