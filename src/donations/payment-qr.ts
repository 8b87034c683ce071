/** A QR code as one SVG path of horizontal runs, much smaller than one rectangle per module. */
import { encode } from 'uqr';

/** Many cameras need these light modules around the code. */
const QUIET_ZONE = 4;

export type QrCode = Readonly<ReturnType<typeof drawQrCode>>;

/** @returns also the size, with the quiet zone */
export function drawQrCode(text: string) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const runs = data.flatMap((row, y) => {
    const cells = row.map(Number).join('');
    return [...cells.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1H${index}z`);
  });
  return { size, path: runs.join('') };
}
