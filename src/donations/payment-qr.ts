/** A QR code as one SVG path: runs of dark modules, far smaller than a rectangle each. */
import { encode } from 'uqr';

/** Light modules around the code, without which many cameras do not find it. */
const QUIET_ZONE = 4;

export interface QrCode {
  /** Modules on each side, quiet zone included. */
  readonly size: number;
  /** In units of modules. */
  readonly path: string;
}

export function drawQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const runs = data.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      found.push(`M${from} ${y}h${x + 1 - from}v1H${from}z`);
    }
    return found;
  });
  return { size, path: runs.join('') };
}
