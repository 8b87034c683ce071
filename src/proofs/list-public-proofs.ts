/** What everybody may see of an entry's proofs. Nothing of private ones is selected, not even how many there are. */
import type { Database } from '../db/database.ts';
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

export interface PublicPicture {
  readonly format: ImageFormat;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
}

/** In their order; empty when the proofs are private or there are none of this ID. */
export function listPublicProofs(db: Database, proofsId: string): PublicProof[] {
  return db
    .all(
      db.sql
        .selectFrom('entries')
        .innerJoin('proof_items', 'proof_items.row', 'entries.row')
        .select(['text_html', 'url', 'file_sha256', 'caption'])
        .where('proofs_id', '=', proofsId)
        .where('proofs', '=', 'public')
        .orderBy('position'),
    )
    .map((row) => ({
      textHtml: row.text_html,
      url: row.url,
      pictures: row.file_sha256 === null ? null : listPictures(db, row.file_sha256),
      caption: row.caption,
    }));
}

/** The smallest first. */
function listPictures(db: Database, original: string): PublicPicture[] {
  return db
    .statement<PublicPicture>(
      'SELECT format, sha256, width, height FROM proof_images WHERE original_sha256 = ? ORDER BY width, format',
    )
    .all(original);
}
