/** What everybody may see of an entry's proofs. Nothing of private ones is selected, not even how many there are. */
import type { Database } from '../db/database.ts';
import { IS_PUBLIC } from '../entries/read-entry.ts';
import type { ImageFormat } from './proof-files.ts';

/** One item; a text, a link and an image may stand in it together. */
export interface PublicProof {
  /** Rendered and sanitized. */
  readonly textHtml: string | null;
  readonly url: string | null;
  /** Null when there is none; empty when its pictures are not made yet. */
  readonly pictures: readonly PublicPicture[] | null;
  readonly caption: string | null;
}

/** What an item is called by: an image, or else a link, or else only text. */
export type ProofKind = 'file' | 'url' | 'text';

export interface PublicPicture {
  readonly format: ImageFormat;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
}

interface ProofRow {
  readonly text_html: string | null;
  readonly url: string | null;
  readonly file_sha256: string | null;
  readonly caption: string | null;
}

/** In their order; empty when the proofs are private, their entry is not public, or there are none of this ID. */
export function listPublicProofs(db: Database, proofsId: string): PublicProof[] {
  return db
    .statement<ProofRow>(
      `SELECT text_html, url, file_sha256, caption FROM entries JOIN proof_items USING (content)
       WHERE proofs_id = ? AND proofs = 'public' AND ${IS_PUBLIC} ORDER BY position`,
    )
    .all(proofsId)
    .map((row) => ({
      textHtml: row.text_html,
      url: row.url,
      pictures: row.file_sha256 === null ? null : listPictures(db, row.file_sha256),
      caption: row.caption,
    }));
}

export function kindOfProof(proof: PublicProof): ProofKind {
  if (proof.pictures !== null) return 'file';
  return proof.url === null ? 'text' : 'url';
}

/** As WebP, which every browser and program opens; undefined when there is no picture. @param which by size */
export function pickPicture(proof: PublicProof, which: 'smallest' | 'largest'): PublicPicture | undefined {
  const pictures = proof.pictures?.filter(({ format }) => format === 'webp');
  return pictures?.at(which === 'smallest' ? 0 : -1);
}

/** The smallest first. */
function listPictures(db: Database, original: string): PublicPicture[] {
  return db
    .statement<PublicPicture>(
      'SELECT format, sha256, width, height FROM proof_images WHERE original_sha256 = ? ORDER BY width, format',
    )
    .all(original);
}
