import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFontSettings } from '#src/config.ts';
import { drawPreview, isDrawable, PREVIEW_HEIGHT, PREVIEW_WIDTH } from '#src/previews/draw-preview.ts';
import type { Preview } from '#src/previews/preview.ts';
import { FONT_SETTINGS } from '#src/previews/previews.ts';
import { makeImage } from '../../support/make-image.ts';

const FONT_FILE = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/atkinson-hyperlegible-next/700Bold/AtkinsonHyperlegibleNext_700Bold.ttf',
);
const SAFE = 80;
const PREVIEW: Preview = {
  mark: 'good',
  title: 'To ID jest na liście zaufanych',
  lines: ['zaufana_osoba', '1866\u00a04167\u00a03942\u00a07259\u00a099'],
  note: 'To nie gwarancja: porównaj ID cyfra po cyfrze.',
  foot: 'Czujka, stan z 22 listopada 2026',
};
let photograph: Buffer;

beforeAll(async () => {
  useFontSettings(FONT_SETTINGS);
  photograph = await makeImage(8, 8).png().toBuffer();
});

const withLines = (...lines: string[]): Preview => ({ ...PREVIEW, lines });
const hashOf = async (preview: Preview): Promise<string> => hash('sha256', await drawPreview(preview));

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Buffer;
}

/** Another process decodes the pictures: this one can decode nothing but its own shapes. */
async function drawAndDecode(...previews: readonly Preview[]): Promise<Pixels[]> {
  const code = `import sharp from 'sharp';
    for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
      const { data, info } = await sharp(Buffer.from(line, 'base64')).raw().toBuffer({ resolveWithObject: true });
      console.log(JSON.stringify([info, data.toString('base64')]));
    }`;
  const pictures: string[] = [];
  for (const preview of previews) pictures.push((await drawPreview(preview)).toString('base64'));
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    input: pictures.join('\n'),
    maxBuffer: 1 << 26,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [{ width, height, channels }, data] = JSON.parse(line) as [Record<string, number>, string];
      expect(channels, 'without transparency').toBe(3);
      return { width: width ?? 0, height: height ?? 0, rgb: Buffer.from(data, 'base64') };
    });
}

describe('drawPreview', () => {
  it('draws a PNG of the size that chats show large, the same for the same preview', async () => {
    expect([PREVIEW_WIDTH, PREVIEW_HEIGHT]).toEqual([1200, 630]);
    expect((await drawPreview(PREVIEW)).subarray(1, 4).toString()).toBe('PNG');
    expect(await hashOf(PREVIEW)).toBe(await hashOf({ ...PREVIEW }));
  });

  it('draws with the font that it brings along, and complains of nothing where there is no other', async () => {
    const process_ = join(import.meta.dirname, '../../support/preview-process.ts');
    const text = withLines('Zażółć gęślą jaźń', 'ŁÓDŹ – „ą”');
    const { stdout, stderr, status } = spawnSync(process.execPath, [process_, JSON.stringify(text)], {
      encoding: 'utf8',
      env: { FONTCONFIG_FILE: FONT_SETTINGS, FONTCONFIG_PATH: '/nowhere', HOME: '/nowhere' },
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toBe(await hashOf(text));
  });

  it('draws letters, which are of different width, and no boxes in their place', async () => {
    const bare = { note: '', mark: 'off' } as const;
    const lines = ['iiiiiiiiii', 'WWWWWWWWWW'].map((line) => ({ ...withLines(line), ...bare }));
    const [narrow = 0, wide = 0] = (await drawAndDecode(...lines)).map(({ width, rgb }) => {
      const row = 315;
      const ink = Array.from({ length: width - SAFE }, (_, x) => rgb[3 * (row * width + x)] !== 0xf4);
      return ink.lastIndexOf(true) - SAFE;
    });
    expect(narrow).toBeGreaterThan(0);
    expect(wide).toBeGreaterThan(2 * narrow);
    for (const [letter, plain] of ['ąa', 'łl', 'ŻZ'])
      expect(await hashOf(withLines(letter ?? ''))).not.toBe(await hashOf(withLines(plain ?? '')));
  });

  it('keeps wide, long and deep letters off the edges, under the longest title', async () => {
    const previews = [
      withLines('W'.repeat(100), '@'.repeat(64)),
      withLines('—'.repeat(100), '…'.repeat(64)),
      withLines('9'.repeat(64), '0'.repeat(64)),
      withLines('Ąąjgę'.repeat(20), 'ŻŹÓĆ'.repeat(16)),
    ].map((preview) => ({ ...preview, title: 'Wpłaty nie udało się przetworzyć' }));
    for (const { width, height, rgb } of await drawAndDecode(...previews)) {
      expect([width, height]).toEqual([PREVIEW_WIDTH, PREVIEW_HEIGHT]);
      const isSafe = (x: number, y: number): boolean =>
        x >= SAFE && x < width - SAFE && y >= SAFE && y < height - SAFE;
      const strays: string[] = [];
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1)
          if (!isSafe(x, y) && rgb.readUIntBE(3 * (y * width + x), 3) !== 0xf4f5f1) strays.push(`${x},${y}`);
      expect(strays.slice(0, 5)).toEqual([]);
    }
  });

  it('leaves out a name that the font cannot draw whole', async () => {
    const [, id = ''] = PREVIEW.lines;
    const without = await hashOf(withLines(id));
    for (const name of ['Михаил', '', 'a\nb']) expect(await hashOf(withLines(name, id))).toBe(without);
  });

  it('draws markup as the letters that it is', async () => {
    const others = [await hashOf(withLines('x')), await hashOf(withLines())];
    for (const name of ['<b>x</b>', '&amp;', `'"><script>`, '%s%n'])
      expect(others).not.toContain(await hashOf(withLines(name)));
  });

  it('decodes nothing but its own shapes in this process', async () => {
    await drawPreview(PREVIEW);
    await expect(sharp(photograph).metadata()).rejects.toThrow(/unsupported image format/i);
  });
});

describe('isDrawable', () => {
  it('promises no letter that the font lacks', () => {
    const letters = readLetters(readFileSync(FONT_FILE));
    const missing: string[] = [];
    for (let point = 0; point < 0x3_0000; point += 1) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const text = String.fromCodePoint(point);
      if (isDrawable(text) && !letters.has(point)) missing.push(`U+${point.toString(16)} ${text}`);
    }
    expect(missing).toEqual([]);
  });

  it('knows Polish and neighbouring letters, digits and typography', () => {
    for (const text of ['ąćęłńóśźżĄĆĘŁŃÓŚŹŻ', 'čšžřůäöüßéñ', 'kupskin_24', '1572\u00a02507', '„x” – €'])
      expect(isDrawable(text), text).toBe(true);
  });

  it.each([
    ['Arabic', 'تاجر الظل'],
    ['Cyrillic', 'Михаил'],
    ['a Cyrillic letter among Latin ones', 'zаufana_osoba'],
    ['emoji', '🦊🦊🦊'],
    ['stacked marks', 'z\u0337\u0300\u0301\u0302\u0303'],
    ['a turned direction', '\u202eabosO\u202c'],
    ['nothing visible', '\u200b\u2060'],
    ['a NUL', 'a\u0000b'],
    ['a lone surrogate', '\ud83e'],
    ['lines', 'a\nb'],
  ])('knows no %s', (_name, text) => {
    expect(isDrawable(text)).toBe(false);
  });
});

/** The code points of a TrueType font: its `cmap` in format 4, which covers all that this one has. */
function readLetters(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, n) => 12 + 16 * n);
  const table = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = font.readUInt32BE(table + 8);
  const points = new Set<number>();
  for (let n = 0; n < font.readUInt16BE(cmap + 2); n += 1) {
    const at = cmap + font.readUInt32BE(cmap + 8 + 8 * n);
    if (font.readUInt16BE(at) !== 4) continue;
    const count = font.readUInt16BE(at + 6) / 2;
    for (let part = 0; part < count; part += 1) {
      const end = font.readUInt16BE(at + 14 + 2 * part);
      for (let point = font.readUInt16BE(at + 16 + 2 * count + 2 * part); point <= end; point += 1)
        points.add(point);
    }
  }
  return points;
}
