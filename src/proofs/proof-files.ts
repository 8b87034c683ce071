/**
 * The files that operators give as proofs, kept as they came and known by their SHA-256. They lie beside the database
 * in proofs/originals/, which no process serves.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';

export const FILE_MAX_BYTES = 20 * 1024 * 1024;

/** First bytes of the kinds that are allowed. What a file is called says nothing. */
const SIGNATURES: readonly { readonly kind: string; readonly matches: (head: Buffer) => boolean }[] = [
  { kind: 'png', matches: (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  { kind: 'jpeg', matches: (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { kind: 'gif', matches: (head) => /^GIF8[79]a/.test(head.toString('latin1')) },
  { kind: 'webp', matches: (head) => /^RIFF.{4}WEBP/s.test(head.toString('latin1')) },
];
const HEAD_BYTES = 16;

export type ProofFile =
  { readonly ok: true; readonly sha256: string } | { readonly ok: false; readonly problem: string };

/** @param dataFolder the folder of the database */
export function originalPath(dataFolder: string, sha256: string): string {
  return join(dataFolder, 'proofs', 'originals', sha256);
}

/**
 * Copies a proof's file into the data folder; the same bytes are kept once.
 * @param folder where names are looked up: beside the import file, never outside of it
 */
export async function storeProofFile(dataFolder: string, folder: string, name: string): Promise<ProofFile> {
  const path = resolve(folder, name);
  if (isAbsolute(name) || !path.startsWith(resolve(folder) + sep)) {
    return { ok: false, problem: `${name} is not a path inside the folder of the import file` };
  }
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) return { ok: false, problem: `there is no file ${name} beside the import file` };
  if (facts.size > FILE_MAX_BYTES) {
    return { ok: false, problem: `${name} has ${facts.size} bytes; at most ${FILE_MAX_BYTES} are allowed` };
  }
  const bytes = await readFile(path);
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!SIGNATURES.some(({ matches }) => matches(head))) {
    const kinds = SIGNATURES.map(({ kind }) => kind).join(', ');
    return { ok: false, problem: `${name} is no image by its content; allowed are ${kinds}` };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeWhole(originalPath(dataFolder, sha256), bytes);
  return { ok: true, sha256 };
}

/** Copies a kept file out, under the name that it came with. */
export async function copyOriginal(dataFolder: string, sha256: string, target: string): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  await copyFile(originalPath(dataFolder, sha256), target);
}

/** A reader sees the whole file or none. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  if (await stat(path).catch(() => undefined)) return;
  await mkdir(join(path, '..'), { recursive: true });
  const temporary = join(path, '..', `.${basename(path)}.${process.pid}`);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
