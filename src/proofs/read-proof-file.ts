import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export const FILE_MAX_BYTES = 20 * 1024 * 1024;
/** Opening a named pipe then does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const LINK = /^https?:\/\//i;

/** @returns the objection to a name that is no path, for operators, in English */
export function findNameProblem(name: string): string | undefined {
  return LINK.test(name) ? `${name} is a link; save the picture, and name its file` : undefined;
}

/** Checks and reads the same open file. @param followsLink false refuses a symbolic link @returns a problem in English */
export async function readProofFile(path: string, { followsLink = true } = {}) {
  const flags = followsLink ? FLAGS : FLAGS | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw error;
  });
  try {
    const facts = await file?.stat();
    if (!file || !facts?.isFile()) return { ok: false as const, problem: 'is missing, or is not a file' };
    if (facts.size > FILE_MAX_BYTES)
      return { ok: false as const, problem: `has more than ${FILE_MAX_BYTES} bytes (20 MiB)` };
    return hashProof(await file.readFile());
  } finally {
    await file?.close();
  }
}

export function hashProof(bytes: Buffer) {
  return { ok: true as const, bytes, sha256: hash('sha256', bytes) };
}
