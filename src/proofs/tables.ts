import type { Generated } from 'kysely';

declare module '../db/tables.ts' {
  interface Tables {
    proof_items: {
      row: number;
      position: number;
      text: string | null;
      text_html: string | null;
      url: string | null;
      file_sha256: string | null;
      file_name: string | null;
      caption: string | null;
    };
    proof_images: {
      original_sha256: string;
      width: number;
      height: number;
      format: 'avif' | 'webp';
      sha256: string;
    };
    proof_changes: {
      change: Generated<number>;
      entry_id: string;
      at: number;
      proofs: string;
      items: number;
    };
  }
}
