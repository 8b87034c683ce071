/** A QR code as one SVG path of horizontal runs, much smaller than one rectangle per module. */
import { encode } from 'uqr';

/** Many cameras need these light modules around the code. */
const QUIET_ZONE = 4;

export type QrCode = Readonly<ReturnType<typeof drawQrCode>>;

/** @returns also the size, with the quiet zone */
export function drawQrCode(text: string) {
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
