/** By their first bytes; Content-Type is ignored. SVG is not allowed, because it can run scripts. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
} as const;

export type ImageFormat = keyof typeof IMAGE_TYPES;

export function findImageFormat(bytes: Buffer): ImageFormat | undefined {
  const starts = (hex: string): boolean => bytes.subarray(0, hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'png';
  if (starts('ffd8ff')) return 'jpg';
  if (starts('474946383761') || starts('474946383961')) return 'gif';
  if (starts('52494646') && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'webp';
  return undefined;
}
