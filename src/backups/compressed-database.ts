/** A database as one compressed file, and back. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { DiskFullError } from '../db/disk-room.ts';

/** For the service's own user alone. */
const PRIVATE_MODE = 0o600;

/**
 * @param to must not exist, not even as a link
 * @returns SHA-256 (hex) of what was compressed
 */
export async function compressFile(from: string, to: string): Promise<string> {
  const hash = createHashing();
  await pipeline(
    createReadStream(from),
    hash.stream,
    createZstdCompress(),
    createWriteStream(to, { mode: PRIVATE_MODE, flags: 'wx' }),
  );
  await sync(to);
  return hash.digest();
}

/**
 * @param bytesMax bounds the output: a small compressed file can make one of any size
 * @returns SHA-256 (hex) of what came out
 * @throws {DiskFullError} when the output is larger
 * @throws when the file is damaged
 */
export async function decompressFile(from: string, to: string, bytesMax: number): Promise<string> {
  const hash = createHashing();
  await pipeline(
    createReadStream(from),
    createZstdDecompress(),
    async function* (chunks: AsyncIterable<Buffer>) {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > bytesMax) throw new DiskFullError(dirname(to));
        yield chunk;
      }
    },
    hash.stream,
    createWriteStream(to, { mode: PRIVATE_MODE }),
  );
  return hash.digest();
}

/** It must outlast a power cut before others rely on it. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function createHashing(): { readonly stream: Transform; readonly digest: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}
