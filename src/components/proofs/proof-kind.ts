/** What stands in the heading of a proof. */
import type { PublicPicture, PublicProof } from '#src/proofs/list-public-proofs.ts';

export type ProofKind = 'file' | 'text' | 'url';

export function kindOfProof(proof: PublicProof): ProofKind {
  if (proof.pictures !== null) return 'file';
  return proof.url === null ? 'text' : 'url';
}

/** As webp, which every browser and program opens; undefined when there is no picture. */
export function largestPicture(proof: PublicProof): PublicPicture | undefined {
  return proof.pictures?.findLast(({ format }) => format === 'webp');
}
