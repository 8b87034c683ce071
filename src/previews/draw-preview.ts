/**
 * Draws a preview. Marks are shapes of ours; text is set by sharp in a font that the project brings along, for what
 * draws SVG ignores embedded fonts, and a bare machine has none.
 */
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { escapeXml } from '../text/render-atom.ts';
import { PREVIEW_MARKS } from './preview-marks.ts';
import type { Preview } from './preview.ts';

/** What chats show large. */
export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

/** Chats cut the edges off in ways of their own. */
const SAFE = 80;
const MARK_SIZE = 160;
const TITLE_LEFT = SAFE + MARK_SIZE + 48;
const LINES_TOP = 282;
const SIGN_SIZE = 52;

const PAPER = '#f4f5f1';
const INK = '#16211f';
const INK2 = '#4a5653';

const TITLE_SIZE = 68;
const LINE_SIZE = 60;
/** Still read where a chat shows the picture 400 pixels wide. */
const SMALL_SIZE = 40;

const FONT = 'Atkinson Hyperlegible Next Bold';
const require = createRequire(import.meta.url);
const FONT_FILE =
  require.resolve('@expo-google-fonts/atkinson-hyperlegible-next/700Bold/AtkinsonHyperlegibleNext_700Bold.ttf');

/** The letters of Polish and its neighbours, digits and marks of writing: what the font has, and nothing invisible. */
const DRAWABLE = /^[ -~\u00a0-¬®-´¶-ćĊ-ēĖ-ěĞ-ģĦħĪīĮ-ĳĶķĹ-ľŁ-ňŐ-ŕŘ-śŞ-ťŪūŮ-ž–—‘-‚“-„•…€]+$/;
/** Of a line; its size falls so far that the widest letters fit. */
const POINTS_MAX = 24;

// Nothing but shapes of ours is ever decoded here.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
// Pictures are kept as they are sent; what they were made of is not worth keeping.
sharp.cache(false);

/** Whether the font has every letter of it. */
export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text);
}

/** @returns a PNG of 1200 × 630 pixels */
export async function drawPreview({ mark, title, lines, note, foot }: Preview): Promise<Buffer> {
  const heading = await setText([span(title, TITLE_SIZE, INK)], PREVIEW_WIDTH - SAFE - TITLE_LEFT);
  const body = await setText([
    ...lines.filter(isDrawable).map((line) => {
      const { text, size } = fitLine(line);
      return span(text, size, INK);
    }),
    span(note, SMALL_SIZE, INK2),
  ]);
  const bottom = await setText([span(foot, SMALL_SIZE, INK2)]);
  return await sharp(Buffer.from(drawGround(mark)))
    .composite([
      { ...heading, left: TITLE_LEFT, top: SAFE + Math.round((MARK_SIZE - heading.raw.height) / 2) },
      { ...body, left: SAFE, top: LINES_TOP },
      {
        ...bottom,
        left: SAFE + SIGN_SIZE + 20,
        top: PREVIEW_HEIGHT - SAFE - Math.round((SIGN_SIZE + bottom.raw.height) / 2),
      },
    ])
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Cut, and smaller where it is long, so that no line is wider than the picture. Groups of digits are narrow. */
function fitLine(line: string): { text: string; size: number } {
  if (/^[\d\u00a0]{1,25}$/.test(line)) return { text: line, size: LINE_SIZE };
  const points = [...line];
  const text = points.length > POINTS_MAX ? `${points.slice(0, POINTS_MAX - 1).join('')}…` : line;
  const size = Math.min(LINE_SIZE, Math.floor((PREVIEW_WIDTH - 2 * SAFE) / [...text].length));
  return { text, size };
}

function span(text: string, px: number, colour: string): string {
  // Sizes of markup are 1024ths of a point, and at 72 dots an inch a point is a pixel.
  return `<span foreground="${colour}" size="${px * 1024}">${escapeXml(text)}</span>`;
}

interface SetText {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

/** @param width in pixels, where longer lines are broken */
async function setText(rows: readonly string[], width = PREVIEW_WIDTH - 2 * SAFE): Promise<SetText> {
  const { data, info } = await sharp({
    text: { text: rows.join('\n'), font: FONT, fontfile: FONT_FILE, rgba: true, dpi: 72, width },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
}

function drawGround(mark: Preview['mark']): string {
  const place = (drawing: string, y: number, size: number): string =>
    `<svg x="${SAFE}" y="${y}" width="${size}" height="${size}" viewBox="0 0 24 24">${drawing}</svg>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}">` +
    `<rect width="100%" height="100%" fill="${PAPER}"/>` +
    place(PREVIEW_MARKS[mark], SAFE, MARK_SIZE) +
    place(PREVIEW_MARKS.sign, PREVIEW_HEIGHT - SAFE - SIGN_SIZE, SIGN_SIZE) +
    '</svg>'
  );
}
