import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export const FILE_MAX_BYTES = 20 * 1024 * 1024;
/** Opening a named pipe does not wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

export type ProofFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly sha256: string }
  /** In English: operators read it. */
  | { readonly ok: false; readonly problem: string };

/**
 * Opens the file once: its checks are true of its bytes.
 * @param followsLink a symbolic link in the last part of the path is no file otherwise
 */
export async function readProofFile(path: string, { followsLink = true } = {}): Promise<ProofFile> {
  const flags = followsLink ? FLAGS : FLAGS | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw error;
  });
  try {
    const facts = await file?.stat();
    if (!file || !facts?.isFile()) return { ok: false, problem: 'is missing, or is not a file' };
    if (facts.size > FILE_MAX_BYTES)
      return { ok: false, problem: `has ${facts.size} bytes; at most ${FILE_MAX_BYTES} are allowed` };
    const bytes = await file.readFile();
    return { ok: true, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    await file?.close();
  }
}
