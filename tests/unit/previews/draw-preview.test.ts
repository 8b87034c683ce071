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

/** Width, height and the pixels in RGB, by a program that this module has no say in. */
function decode(picture: Buffer): { width: number; height: number; pixels: Buffer } {
  const code = `import sharp from 'sharp';
    const chunks = []; for await (const chunk of process.stdin) chunks.push(chunk);
    const { data, info } = await sharp(Buffer.concat(chunks)).raw().toBuffer({ resolveWithObject: true });
    const head = Buffer.alloc(12); head.writeUInt32LE(info.width, 0); head.writeUInt32LE(info.height, 4);
    head.writeUInt32LE(info.channels, 8); process.stdout.write(Buffer.concat([head, data]));`;
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    input: picture,
    maxBuffer: 1 << 24,
  });
  expect(status, stderr.toString()).toBe(0);
  expect(stdout.readUInt32LE(8), 'without transparency').toBe(3);
  return { width: stdout.readUInt32LE(0), height: stdout.readUInt32LE(4), pixels: stdout.subarray(12) };
}

describe('drawPreview', () => {
  it('draws a PNG of the size that chats show large', async () => {
    const picture = await drawPreview(PREVIEW);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    const { width, height } = decode(picture);
    expect([width, height]).toEqual([PREVIEW_WIDTH, PREVIEW_HEIGHT]);
    expect([width, height]).toEqual([1200, 630]);
  });

  it('gives the same bytes for the same preview', async () => {
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
    const widthOf = async (line: string): Promise<number> => {
      const { width, pixels } = decode(await drawPreview({ ...withLines(line), note: '', mark: 'off' }));
      const row = 315;
      const ink = Array.from({ length: width - SAFE }, (_, x) => pixels[3 * (row * width + x)] !== 0xf4);
      return ink.lastIndexOf(true) - SAFE;
    };
    const narrow = await widthOf('iiiiiiiiii');
    expect(narrow).toBeGreaterThan(0);
    expect(await widthOf('WWWWWWWWWW')).toBeGreaterThan(2 * narrow);
  });

  it.each([...'ąćęłńóśźżŁŻ'])('draws %s with its mark', async (letter) => {
    const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').replace('ł', 'l').replace('Ł', 'L');
    expect(await hashOf(withLines(letter))).not.toBe(await hashOf(withLines(plain)));
  });

  it.each([
    ['wide letters', 'W'.repeat(100), '@'.repeat(64)],
    ['dashes', '—'.repeat(100), '…'.repeat(64)],
    ['a long number', '9'.repeat(64), '0'.repeat(64)],
    ['deep letters', 'Ąąjgę'.repeat(20), 'ŻŹÓĆ'.repeat(16)],
  ])('keeps %s off the edges, under the longest title', async (_name, ...lines) => {
    const preview = { ...withLines(...lines), title: 'Wpłaty nie udało się przetworzyć' };
    const { width, height, pixels } = decode(await drawPreview(preview));
    const strays: string[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const isSafe = x >= SAFE && x < width - SAFE && y >= SAFE && y < height - SAFE;
        if (isSafe) continue;
        const at = 3 * (y * width + x);
        if (pixels[at] !== 0xf4 || pixels[at + 1] !== 0xf5 || pixels[at + 2] !== 0xf1)
          strays.push(`${x},${y}`);
      }
    }
    expect(strays.slice(0, 5)).toEqual([]);
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
    ['nothing', ''],
  ])('leaves out a name that the font cannot draw whole: %s', async (_name, name) => {
    const [, id = ''] = PREVIEW.lines;
    expect(await hashOf(withLines(name, id))).toBe(await hashOf(withLines(id)));
  });

  it.each(['<b>x</b>', '</span>', '&amp;', '& <', `'"><script>`, '%s%n', '&#0;'])(
    'draws %s as the letters that it is',
    async (name) => {
      expect(await hashOf(withLines(name))).not.toBe(await hashOf(withLines('x')));
      expect(await hashOf(withLines(name))).not.toBe(await hashOf(withLines()));
    },
  );

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

  it.each(['ąćęłńóśźżĄĆĘŁŃÓŚŹŻ', 'čšžřůäöüßéñ', 'kupskin_24', '1572\u00a02507', '„x” – €'])(
    'knows %s',
    (text) => {
      expect(isDrawable(text)).toBe(true);
    },
  );
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
