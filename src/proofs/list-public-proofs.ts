/** The public proofs of an entry. No query reads private ones, not even their number. */
import { readFile } from 'node:fs/promises';
import type { InferResult } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { PUBLIC_FORMATS, publicPath } from './proof-files.ts';

/** It may have a text, a link and an image. */
export interface PublicProof {
  /** Rendered and sanitized. */
  readonly textHtml: string | null;
  readonly url: string | null;
  readonly kind: ProofKind;
  /** Null without an image; empty until its pictures are made. */
  readonly pictures: readonly PublicPicture[] | null;
  /** As WebP, which every browser opens. */
  readonly smallest: PublicPicture | undefined;
  readonly largest: PublicPicture | undefined;
  readonly caption: string | null;
}

/** An image, or else a link, or else a text. */
export type ProofKind = 'file' | 'url' | 'text';

export type PublicPicture = Readonly<InferResult<typeof PICTURES>[number]>;

/** In order; empty when the proofs or their entry are not public, or the ID is unknown. */
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

const ITEMS = sqlBuilder
  .selectFrom('entries')
  .innerJoin('published', 'published.row', 'entries.row')
  .innerJoin('proof_items', 'proof_items.row', 'entries.row')
  .select(['text_html', 'url', 'file_sha256', 'caption'])
  .where('proofs_id', '=', param('proofsId'))
  .where('proofs', '=', 'public')
  .orderBy('position')
  .compile();
/** The smallest first. */
const PICTURES = sqlBuilder
  .selectFrom('proof_images')
  .select(['format', 'sha256', 'width', 'height'])
  .where('original_sha256', '=', param('original'))
  .orderBy('width')
  .orderBy('format')
  .compile();

export type ProofsSummary = NonNullable<ReturnType<typeof summarizeProofs>>;

/** More would be longer than the answer beside them. */
const PICTURES_MAX = 2;

/** @returns undefined without public proofs; pictures are the smallest, at most 480 px a side */
export function summarizeProofs(db: Database, proofsId: string | null) {
  if (proofsId === null) return undefined;
  const proofs = listPublicProofs(db, proofsId);
  if (proofs.length === 0) return undefined;
  const counts = { file: 0, url: 0, text: 0 };
  for (const { kind } of proofs) counts[kind] += 1;
  const pictures = proofs.flatMap(({ smallest }) => smallest ?? []);
  return { total: proofs.length, counts, pictures: pictures.slice(0, PICTURES_MAX) };
}

const NAME = new RegExp(`^([0-9a-f]{64})\\.(${PUBLIC_FORMATS.join('|')})$`);

/** An entry and its proofs must both be public. */
const SHOWN = sqlBuilder
  .selectFrom('proof_images')
  .innerJoin('proof_items', 'file_sha256', 'original_sha256')
  .innerJoin('entries', 'entries.row', 'proof_items.row')
  .innerJoin('published', 'published.row', 'entries.row')
  .select('format')
  .where('sha256', '=', param('sha256'))
  .where('format', '=', param('format'))
  .where('proofs', '=', 'public')
  .limit(1)
  .compile();

/** @param name `<SHA-256>.<avif or webp>` @returns undefined unless the picture is public now */
export async function readPublicPicture(db: Database, name: string) {
  const [, sha256 = '', format = ''] = NAME.exec(name) ?? [];
  const shown = sha256 ? db.first(SHOWN, { sha256, format }) : undefined;
  if (!shown) return undefined;
  // Another process may have just removed it.
  const bytes = await readFile(publicPath(db.path, sha256, format)).catch(() => undefined);
  return bytes && { format: shown.format, bytes };
}
