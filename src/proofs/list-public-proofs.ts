/** Lists the public proofs of an entry. Nothing of private ones is selected, not even how many there are. */
import { build, compileOnce, given } from '../db/database.ts';
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

/** In their order; empty when the proofs are private, their entry is not public, or there are none of this ID. */
export function listPublicProofs(db: Database, proofsId: string): PublicProof[] {
  return db.all(ITEMS, { proofsId }).map((row) => {
    const original = row.file_sha256;
    const pictures = original === null ? null : db.all(PICTURES, { original });
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

const ITEMS = compileOnce(
  build
    .selectFrom('entries')
    .innerJoin('proof_items', 'proof_items.row', 'entries.row')
    .select(['text_html', 'url', 'file_sha256', 'caption'])
    .where('proofs_id', '=', given('proofsId'))
    .where('proofs', '=', 'public')
    .where((is) => is.or([is('list', '!=', 'legit'), is('verified', '=', 1)]))
    .orderBy('position'),
);
/** The smallest first. */
const PICTURES = compileOnce(
  build
    .selectFrom('proof_images')
    .select(['format', 'sha256', 'width', 'height'])
    .where('original_sha256', '=', given('original'))
    .orderBy('width')
    .orderBy('format'),
);
