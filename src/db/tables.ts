/** What the tables of db/migrations hold, as Kysely sees them. Rows are snake_case; read models convert. */
import type { Generated } from 'kysely';

export interface Tables {
  entries: EntriesTable;
  contents: ContentsTable;
  published: PublishedTable;
  proof_items: ProofItemsTable;
  changes: ChangesTable;
  tombstones: TombstonesTable;
  properties: PropertiesTable;
  proof_images: ProofImagesTable;
  proof_changes: ProofChangesTable;
}

interface EntriesTable {
  row: Generated<number>;
  list: string;
  entry_id: string;
  report_id: string;
  proofs_id: string | null;
  proofs: string;
  chat_id: string;
  name: string;
  verified: number;
  reported_at: number;
  updated_at: number;
  views: number;
}

interface ContentsTable {
  row: number;
  reason: string;
}

interface PublishedTable {
  row: number;
  flags: number;
  chat_id: string;
  card: string;
  json: string;
}

interface ProofItemsTable {
  row: number;
  position: number;
  text: string | null;
  text_html: string | null;
  url: string | null;
  file_sha256: string | null;
  file_name: string | null;
  caption: string | null;
}

interface ChangesTable {
  seq: Generated<number>;
  at: number;
  op: string;
  list: string;
  entry_id: string;
}

interface TombstonesTable {
  entry_id: string;
  report_id: string;
  list: string;
  removed_at: number;
  reason_code: string;
}

interface PropertiesTable {
  key: string;
  value: string;
}

interface ProofImagesTable {
  original_sha256: string;
  width: number;
  height: number;
  format: string;
  sha256: string;
}

interface ProofChangesTable {
  change: Generated<number>;
  entry_id: string;
  at: number;
  proofs: string;
  items: number;
}
