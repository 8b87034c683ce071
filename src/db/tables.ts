/** What the tables of db/migrations hold, as Kysely sees them. Rows are snake_case; read models convert. */
import type { Generated } from 'kysely';

export interface Tables {
  entries: EntriesTable;
  contents: ContentsTable;
  published: PublishedTable;
  proof_items: ProofItemsTable;
  changes: ChangesTable;
  tombstones: TombstonesTable;
  removals: RemovalsTable;
  properties: PropertiesTable;
  proof_images: ProofImagesTable;
  proof_changes: ProofChangesTable;
  list_indexes: ListIndexesTable;
  shapes: ShapesTable;
  status_snapshot: StatusSnapshotTable;
  status_write_probe: StatusWriteProbeTable;
  status_samples: StatusSamplesTable;
  status_periods: StatusPeriodsTable;
  status_streaks: StatusStreaksTable;
  incidents: IncidentsTable;
  donations: DonationsTable;
  donation_transitions: DonationTransitionsTable;
  donation_payers: DonationPayersTable;
  donation_outputs: DonationOutputsTable;
  donation_keys: DonationKeysTable;
  litecoin_blocks: LitecoinBlocksTable;
  litecoin_rates: LitecoinRatesTable;
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

interface RemovalsTable {
  removal: Generated<number>;
  at: number;
  list: string;
  entry_id: string;
  what: string;
  reason_code: string | null;
  history: string;
  change: number;
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

interface ListIndexesTable {
  ord: number;
  piece: number;
  version: number;
  elements: Uint8Array;
  names: Uint8Array | null;
}

interface ShapesTable {
  shape: number;
  is_reported: number;
  told: number | string;
  row: number;
}

interface StatusSnapshotTable {
  one: number;
  checked_at: number;
  body: string;
}

interface StatusWriteProbeTable {
  one: number;
  at: number;
  at_monotonic: number | null;
}

interface StatusSamplesTable {
  at: number;
  part: string;
  ok: number;
  latency_ms: number | null;
}

interface StatusPeriodsTable {
  seconds: number;
  at: number;
  part: string;
  samples: number;
  ok: number;
  slow: number;
  latency_sum: number | null;
  latency_max: number | null;
}

interface StatusStreaksTable {
  part: string;
  ok: number;
  samples: number;
  since: number;
}

interface IncidentsTable {
  incident: Generated<number>;
  part: string;
  opened_at: number;
  closed_at: number | null;
  note: string | null;
  updated_at: number;
}

interface DonationsTable {
  id: string;
  network: string;
  address: string;
  script: string;
  key_id: string | null;
  key_index: number | null;
  status: string;
  status_since: number;
  minimum_litoshi: number;
  received_litoshi: Generated<number>;
  rate_grosze: number;
  premium_month_grosze: number;
  premium_lifetime_grosze: number;
  confirmations: Generated<number>;
  required_confirmations: number;
  tx_id: string | null;
  forward_tx_id: string | null;
  role_status: Generated<string>;
  role_expected: Generated<number>;
  is_late: Generated<number>;
  is_reorganised: Generated<number>;
  created_at: number;
  expires_at: number;
  settled: Generated<number>;
  revision: Generated<number>;
  asked_at: Generated<number>;
}

interface DonationTransitionsTable {
  seq: Generated<number>;
  donation_id: string;
  at: number;
  from_status: string;
  to_status: string;
  reason: string | null;
}

interface DonationPayersTable {
  donation_id: string;
  chat_id: string;
}

interface DonationOutputsTable {
  tx_id: string;
  vout: number;
  donation_id: string;
  litoshi: number;
  height: number | null;
  first_seen_at: number;
  kind: string;
  is_gone: Generated<number>;
  spent_by: string | null;
  spent_height: number | null;
  spent_seen_at: number | null;
}

interface DonationKeysTable {
  key_id: string;
  next_index: number;
}

interface LitecoinBlocksTable {
  height: number;
  hash: string;
}

interface LitecoinRatesTable {
  at: number;
  rate_grosze: number;
  source: string;
}
