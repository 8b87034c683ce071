/** What everybody may see of an entry's proofs. Nothing of private ones is selected, not even how many there are. */
import type { Database } from '../db/database.ts';

/** One item; a text, a link and a file may stand in it together. */
export interface PublicProof {
  /** Rendered and sanitized. */
  readonly textHtml: string | null;
  readonly url: string | null;
  readonly hasFile: boolean;
  readonly caption: string | null;
}

/** In their order; empty when the proofs are private or there are none of this ID. */
export function listPublicProofs(db: Database, proofsId: string): PublicProof[] {
  return db
    .all(
      db.sql
        .selectFrom('entries')
        .innerJoin('proof_items', 'proof_items.content', 'entries.content')
        .select(['text_html', 'url', 'file_sha256', 'caption'])
        .where('proofs_id', '=', proofsId)
        .where('proofs', '=', 'public')
        .orderBy('position'),
    )
    .map((row) => ({
      textHtml: row.text_html,
      url: row.url,
      hasFile: row.file_sha256 !== null,
      caption: row.caption,
    }));
}
