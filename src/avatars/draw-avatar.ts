/** A picture made of an ID alone: the same ID, the same picture. For servers, and where the platform gives none. */
import { createHash } from 'node:crypto';

const CELLS = 5;
/** Neutral tones that are seen on light and dark grounds alike; role colours mean something else. */
const TONES = [
  ['#dfe3dc', '#4a5653'],
  ['#cdd2cb', '#31403c'],
  ['#4a5653', '#e6e9e3'],
  ['#74807c', '#f4f5f1'],
] as const;

/** @returns a square SVG, mirrored left and right, so that it is told apart like a face */
export function drawAvatar(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  const [ground, figure] = TONES[(hash[31] ?? 0) % TONES.length] ?? TONES[0];
  let path = '';
  for (let row = 0; row < CELLS; row += 1) {
    for (let column = 0; column < Math.ceil(CELLS / 2); column += 1) {
      if ((hash[row * 3 + column] ?? 0) % 2 === 0) continue;
      for (const x of new Set([column, CELLS - 1 - column])) path += `M${x + 1} ${row + 1}h1v1h-1z`;
    }
  }
  const side = CELLS + 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 ${side} ${side}">` +
    `<path fill="${ground}" d="M0 0h${side}v${side}H0z"/>` +
    `<path fill="${figure}" shape-rendering="crispEdges" d="${path}"/></svg>`
  );
}
