import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { DiskFullError } from '../db/disk-room.ts';

const PRIVATE_MODE = 0o600;

/** @param to must not exist, not even as a link @returns SHA-256 (hex) of the input */
export async function compressFile(from: string, to: string): Promise<string> {
  const hash = createHash('sha256');
  const target = createWriteStream(to, { mode: PRIVATE_MODE, flags: 'wx', flush: true });
  await pipeline(createReadStream(from), hashWith(hash, to), createZstdCompress(), target);
  return hash.digest('hex');
}

/** @param to must not exist @param bytesMax bounds the output, because a small compressed file can become one of any size */
export async function decompressFile(from: string, to: string, bytesMax: number): Promise<string> {
  const hash = createHash('sha256');
  const target = createWriteStream(to, { mode: PRIVATE_MODE, flags: 'wx' });
  await pipeline(createReadStream(from), createZstdDecompress(), hashWith(hash, to, bytesMax), target);
  return hash.digest('hex');
}

/** Reads all of it, because a disk may change a bit and keep the size. */
export async function isIntact(file: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) hash.update(chunk);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return false;
  }
  return hash.digest('hex') === sha256;
}

function hashWith(hash: Hash, to: string, bytesMax = Infinity) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new DiskFullError(dirname(to));
      hash.update(chunk);
      yield chunk;
    }
  };
}
