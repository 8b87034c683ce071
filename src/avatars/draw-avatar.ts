/** A picture derived from an ID, for servers and accounts without a picture. */
import { createHash } from 'node:crypto';

const CELLS = 5;
/** Visible on light and dark backgrounds; the role colours have other meanings. */
const TONE = '#74807c';
const RADIUS = 0.36;

/** @returns a square SVG, symmetric like a face; grey dots, which nobody mistakes for a chosen picture */
export function drawAvatar(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  let dots = '';
  for (let row = 0; row < CELLS; row += 1) {
    for (let column = 0; column < Math.ceil(CELLS / 2); column += 1) {
      const byte = hash[row * 3 + column] ?? 0;
      if (byte % 2 === 0) continue;
      // Two sizes make more distinct pictures.
      const radius = byte % 4 === 1 ? RADIUS : RADIUS / 2;
      for (const x of new Set([column, CELLS - 1 - column]))
        dots += `<circle cx="${x + 1.5}" cy="${row + 1.5}" r="${radius}"/>`;
    }
  }
  const side = CELLS + 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 ${side} ${side}">` +
    `<g fill="${TONE}">${dots}</g></svg>`
  );
}
