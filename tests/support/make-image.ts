/** Images as operators give them, and files that only look like images. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Stands in the metadata of images made here. */
export const METADATA_MARKER = 'MARKER-GPS-52.2297N';

/** Red on the left half, blue on the right: shows which way is up. */
export function makeImage(width = 640, height = 400): Sharp {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: '#c00' } }).composite([
    { input: { create: { ...half, background: '#00c' } }, gravity: 'east' },
  ]);
}

/** A photo with a place and a name in its metadata; `orientation` 6 means: turn it by a quarter to see it upright. */
export function makePhoto(orientation = 6): Promise<Buffer> {
  return makeImage(600, 300)
    .jpeg()
    .withExif({
      IFD0: { Artist: METADATA_MARKER },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 13/1 47/1', GPSAreaInformation: METADATA_MARKER },
    })
    .withMetadata({ orientation })
    .toBuffer();
}

/** A png of 30,000 × 30,000 pixels in some kilobytes: whole, with right checksums. */
export function makePixelBomb(side = 30_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8); // One bit a pixel, grey.
  const rows = Buffer.alloc((side / 8 + 1) * side);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export const SVG_WITH_SCRIPT = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

export const ZIP = Buffer.from('PK\u0003\u0004 and more', 'latin1');

export function insert(file: Buffer, at: number, bytes: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
