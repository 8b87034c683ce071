/** What everybody may see of an entry's proofs. Nothing of private ones is selected, not even how many there are. */
import type { Database } from '../db/database.ts';
import type { ImageFormat } from './proof-files.ts';

/** One item; a text, a link and an image may stand in it together. */
export interface PublicProof {
  /** Rendered and sanitized. */
  readonly textHtml: string | null;
  readonly url: string | null;
  readonly kind: ProofKind;
  /** Null when there is none; empty when its pictures are not made yet. */
  readonly pictures: readonly PublicPicture[] | null;
  /** As WebP, which every browser and program opens; undefined when there is no picture. */
  readonly smallest: PublicPicture | undefined;
  readonly largest: PublicPicture | undefined;
  readonly caption: string | null;
}

/** An item is an image, or else a link, or else only text. */
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
      `SELECT text_html, url, file_sha256, caption FROM entries JOIN proof_items USING (row)
       WHERE proofs_id = ? AND proofs = 'public' AND (list != 'legit' OR verified = 1)
       ORDER BY position`,
    )
    .all(proofsId)
    .map((row) => {
      const pictures = row.file_sha256 === null ? null : listPictures(db, row.file_sha256);
      const shown = pictures?.filter(({ format }) => format === 'webp') ?? [];
      return {
        textHtml: row.text_html,
        url: row.url,
        kind: pictures !== null ? 'file' : row.url === null ? 'text' : 'url',
        pictures,
        smallest: shown[0],
        largest: shown.at(-1),
        caption: row.caption,
      };
    });
}

/** The smallest first. */
function listPictures(db: Database, original: string): PublicPicture[] {
  return db
    .statement<PublicPicture>(
      'SELECT format, sha256, width, height FROM proof_images WHERE original_sha256 = ? ORDER BY width, format',
    )
    .all(original);
}
