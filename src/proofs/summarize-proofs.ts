/** Public proofs at a glance, as the answer about their entry shows them. */
import type { Database } from '../db/database.ts';
import { listPublicProofs } from './list-public-proofs.ts';
import type { ProofKind, PublicPicture } from './list-public-proofs.ts';

export interface ProofsSummary {
  readonly total: number;
  readonly counts: Readonly<Record<ProofKind, number>>;
  /** The smallest pictures, at most 480 px a side, of the first images that have them. */
  readonly pictures: readonly PublicPicture[];
}

/** So many fit beside each other on a phone. */
const PICTURES_MAX = 3;

/** Undefined when the proofs are private, their entry is not public, or there are none. */
export function summarizeProofs(db: Database, proofsId: string | null): ProofsSummary | undefined {
  if (proofsId === null) return undefined;
  const proofs = listPublicProofs(db, proofsId);
  if (proofs.length === 0) return undefined;
  const counts = { file: 0, url: 0, text: 0 };
  for (const { kind } of proofs) counts[kind] += 1;
  const pictures = proofs.flatMap(({ smallest }) => smallest ?? []);
  return { total: proofs.length, counts, pictures: pictures.slice(0, PICTURES_MAX) };
}
