/** Colours that must differ: WCAG contrast of every pair of tokens that is used, and colours as colour-blind people see them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Rgb = readonly [number, number, number];

const CSS = readFileSync(join(import.meta.dirname, '../../../src/styles/czujka.css'), 'utf8');
const THEMES = ['light', 'dark'] as const;
const ROLES = ['stop', 'warn', 'good', 'none'] as const;
const TEXT_MIN = 4.5;
const CONTROL_MIN = 3;
/** The least distance of two colours that are seen as different side by side (CIEDE2000). */
const DISTANCE_MIN = 10;

/** Machado, Oliveira, Fernandes 2009, full severity, over linear RGB. */
const VISIONS: Readonly<Record<string, readonly Rgb[]>> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

describe.each(THEMES)('in the %s theme', (theme) => {
  const color = (name: string, role?: string): string => readColor(theme, name, role);
  const tints = ROLES.map((role) => color('t', role));

  it('keeps text readable', () => {
    const grounds = [color('paper'), color('card'), color('sunk'), ...tints];
    const pairs = [
      ...grounds.flatMap((ground) => [color('ink'), color('ink2')].map((ink) => [ink, ground])),
      ...['night-ink', 'night-ink2'].flatMap((ink) =>
        ['night', 'night2'].map((ground) => [color(ink), color(ground)]),
      ),
      [color('lamp-ink'), color('lamp')],
      ['#fff', color('solid', 'stop')],
    ];
    expect(pairs.filter(([ink, ground]) => contrast(ink, ground) < TEXT_MIN)).toEqual([]);
  });

  it('keeps edges and marks visible', () => {
    const pairs = [
      ...['card', 'paper'].map((ground) => [color('edge'), color(ground)]),
      ...ROLES.flatMap((role) => [
        [color('g', role), color('m', role)],
        [color('l', role), color('card')],
        [color('l', role), color('t', role)],
      ]),
    ];
    expect(pairs.filter(([mark, ground]) => contrast(mark, ground) < CONTROL_MIN)).toEqual([]);
  });

  // Only these pairs stand on colour alone at first sight. The tints of a risk and of a trusted account and the frame of no
  // entry may look alike, and so may two lines: shape and word of the mark, the dashed rule and the height of a bar say
  // which one it is.
  it.each(Object.keys(VISIONS))(
    'keeps marks and the ground of a confirmed report apart for %s vision',
    (vision) => {
      const marks = ROLES.flatMap((one, at) =>
        ROLES.slice(at + 1).map((other) => [color('m', one), color('m', other)]),
      );
      const heads = [color('t', 'warn'), color('t', 'good'), color('card')].map((ground) => [
        color('solid', 'stop'),
        ground,
      ]);
      const isClose = ([one = '', other = '']: readonly string[]): boolean =>
        distance(see(one, vision), see(other, vision)) < DISTANCE_MIN;
      expect([...marks, ...heads].filter(isClose)).toEqual([]);
    },
  );
});

it('measures as the authors of CIEDE2000 do', () => {
  expect(distance([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(distance([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(distance([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619])).toBeCloseTo(2.0373, 4);
});

/** @param role of the block that is read; the tokens of all pages otherwise */
function readColor(theme: (typeof THEMES)[number], name: string, role?: string): string {
  const start = CSS.indexOf(role === undefined ? ':root {' : `[data-role='${role}'] {`);
  const block = CSS.slice(start, CSS.indexOf('}', start));
  const value = new RegExp(`--${name}: (.+);`).exec(block)?.[1] ?? '';
  const chosen = /^light-dark\((.+), (.+)\)$/.exec(value)?.[THEMES.indexOf(theme) + 1] ?? value;
  const other = /^var\(--(.+)\)$/.exec(chosen)?.[1];
  return other === undefined ? chosen : readColor(theme, other);
}

function linear(hex: string): Rgb {
  const digits = /^#[\da-f]{3}$/.test(hex) ? hex.replace(/[\da-f]/g, '$&$&') : hex;
  if (!/^#[\da-f]{6}$/.test(digits)) throw new Error(`"${hex}" is no colour`);
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
}

const dot = ([a, b, c]: Rgb, [x, y, z]: Rgb): number => a * x + b * y + c * z;
const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], linear(hex));

function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @returns the colour in CIELAB, as it looks with this vision */
function see(hex: string, vision: string): Rgb {
  const seen = (VISIONS[vision] ?? []).map((row) =>
    Math.min(1, Math.max(0, dot(row, linear(hex)))),
  ) as unknown as Rgb;
  const [x, y, z] = [
    dot([0.4124564, 0.3575761, 0.1804375], seen) / 0.95047,
    dot([0.2126729, 0.7151522, 0.072175], seen),
    dot([0.0193339, 0.119192, 0.9503041], seen) / 1.08883,
  ].map((part) =>
    part > 216 / 24389 ? Math.cbrt(part) : (part * 24389) / 27 / 116 + 16 / 116,
  ) as unknown as Rgb;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 (Sharma, Wu, Dalal 2005). */
function distance([l1, a1, b1]: Rgb, [l2, a2, b2]: Rgb): number {
  const rad = Math.PI / 180;
  const damp = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const g = (1 - damp((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2)) / 2;
  const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)];
  const hue = (a: number, b: number): number => (Math.atan2(b, a * (1 + g)) / rad + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [l, c, h] = [(l1 + l2) / 2, (c1 + c2) / 2, c1 * c2 === 0 ? h1 + h2 : h1 + turn / 2];
  const cos = (factor: number, shift: number): number => Math.cos((factor * h + shift) * rad);
  const t = 1 - 0.17 * cos(1, -30) + 0.24 * cos(2, 0) + 0.32 * cos(3, 6) - 0.2 * cos(4, -63);
  const dl = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const dc = (c2 - c1) / (1 + 0.045 * c);
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * rad)) / (1 + 0.015 * c * t);
  const fromBlue = (((h + 360) % 360) - 275) / 25;
  const rotation = -2 * damp(c) * Math.sin(60 * Math.exp(-fromBlue * fromBlue) * rad);
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
}
