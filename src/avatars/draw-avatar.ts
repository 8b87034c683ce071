/** A picture made of an ID alone: the same ID, the same picture. For servers, and where the platform gives none. */
import { createHash } from 'node:crypto';

const CELLS = 5;
/** Seen on light and dark grounds alike; role colours mean something else. */
const TONE = '#74807c';
const RADIUS = 0.36;

/**
 * @returns a square SVG, mirrored left and right, so that it is told apart like a face. Grey dots without a ground: nobody
 * takes it for a picture that somebody chose.
 */
export function drawAvatar(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  let dots = '';
  for (let row = 0; row < CELLS; row += 1) {
    for (let column = 0; column < Math.ceil(CELLS / 2); column += 1) {
      const byte = hash[row * 3 + column] ?? 0;
      if (byte % 2 === 0) continue;
      // Two sizes, so that more IDs differ than there are patterns.
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
