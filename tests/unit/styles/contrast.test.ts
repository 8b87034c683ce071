/** Colours that must differ: WCAG contrast of every pair of tokens that is used, and colours as colour-blind people see them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Rgb = readonly [number, number, number];

const CSS = readFileSync(join(import.meta.dirname, '../../../src/styles/czujka.css'), 'utf8');
const THEMES = ['light', 'dark'] as const;
const ROLES = ['stop', 'victim', 'warn', 'good', 'none'] as const;
const TEXT_MIN = 4.5;
const CONTROL_MIN = 3;
/** The least distance of two colours that are seen as different side by side (CIE76). */
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
      ...['string', 'word'].map((ink) => [color(ink), color('sunk')]),
    ];
    expect(pairs.filter(([ink, ground]) => contrast(ink, ground) < TEXT_MIN)).toEqual([]);
  });

  // Two beams of the lighthouse lie on each other. While a check runs they are brighter, and so is the text on them.
  it.each([
    ['night-ink2', /--light: (.+);/],
    ['night-ink', /--light: (.+);\s+--night-ink2: var\(--night-ink\);/],
  ])('keeps %s readable where beams shine', (ink, rule) => {
    const opacity = Number(rule.exec(CSS)?.[1]);
    const beam = (ground: string): string => mix(ground, color('lamp'), opacity);
    expect(contrast(color(ink), beam(beam(color('night'))))).toBeGreaterThanOrEqual(TEXT_MIN);
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
  it.each(Object.keys(VISIONS))('keeps marks and confirmed reports apart for %s vision', (vision) => {
    const marks = ROLES.flatMap((one, at) =>
      ROLES.slice(at + 1).map((other) => [color('m', one), color('m', other)]),
    );
    const grounds = [color('t', 'warn'), color('t', 'good'), color('card')];
    const heads = grounds.map((ground) => [color('solid', 'stop'), ground]);
    const isClose = ([one = '', other = '']: readonly string[]): boolean =>
      distance(see(one, vision), see(other, vision)) < DISTANCE_MIN;
    expect([...marks, ...heads].filter(isClose)).toEqual([]);
  });
});

/** @param role of the block that is read; the tokens of all pages otherwise */
function readColor(theme: (typeof THEMES)[number], name: string, role?: string): string {
  const start = CSS.indexOf(role === undefined ? ':root {' : `[data-role='${role}'] {`);
  const block = CSS.slice(start, role === undefined ? undefined : CSS.indexOf('}', start));
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

/** @param opacity of the light on the ground */
function mix(ground: string, light: string, opacity: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [one = 0, other = 0] = [ground, light].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(one + (other - one) * opacity);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
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

function distance(one: Rgb, other: Rgb): number {
  return Math.hypot(...one.map((part, at) => part - (other[at] as number)));
}
