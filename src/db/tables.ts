/** What the tables of db/migrations hold, as Kysely sees them. Rows are snake_case; read models convert. */
import type { Generated } from 'kysely';
import type { DonationStatus, RoleStatus } from '../donations/donation-status.ts';
import type { Network } from '../donations/litecoin-network.ts';
import type { ListKind, ProofsState } from '../entries/entry.ts';
import type { RemovalReason } from '../entries/removal-reasons.ts';
import type { PartId } from '../status/status.ts';

export interface Tables {
  entries: EntriesTable;
  contents: ContentsTable;
  former_names: FormerNamesTable;
  published: PublishedTable;
  proof_items: ProofItemsTable;
  changes: ChangesTable;
  change_notes: ChangeNotesTable;
  imports: ImportsTable;
  tombstones: TombstonesTable;
  removals: RemovalsTable;
  properties: PropertiesTable;
  proof_images: ProofImagesTable;
  proof_changes: ProofChangesTable;
  list_indexes: ListIndexesTable;
  look_alike_hashes: LookAlikeHashesTable;
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
  list: ListKind;
  entry_id: string;
  report_id: string;
  proofs_id: string | null;
  proofs: ProofsState;
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

interface FormerNamesTable {
  former: Generated<number>;
  row: number;
  name: string;
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

interface ImportsTable {
  import: Generated<number>;
  key: string;
  at: number;
  list: ListKind;
  first_change: number;
  last_change: number;
  undone_at: number | null;
}

interface ChangeNotesTable {
  seq: number;
  by: string | null;
  fields: string | null;
}

interface ChangesTable {
  seq: Generated<number>;
  at: number;
  op: 'added' | 'updated' | 'removed';
  list: ListKind;
  entry_id: string;
}

interface TombstonesTable {
  entry_id: string;
  report_id: string;
  list: ListKind;
  removed_at: number;
  reason_code: RemovalReason;
  id_hash: string | null;
}

interface RemovalsTable {
  removal: Generated<number>;
  at: number;
  list: string;
  entry_id: string;
  what: 'entry' | 'returned' | 'name' | 'reason' | 'proofs' | 'private';
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
  format: 'avif' | 'webp';
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

interface LookAlikeHashesTable {
  hash: number;
  is_reported: number;
  detail: number | string;
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
  part: PartId;
  ok: number;
  latency_ms: number | null;
}

interface StatusPeriodsTable {
  seconds: number;
  at: number;
  part: PartId;
  samples: number;
  ok: number;
  slow: number;
  latency_sum: number | null;
  latency_max: number | null;
}

interface StatusStreaksTable {
  part: PartId;
  ok: number;
  samples: number;
  since: number;
}

interface IncidentsTable {
  incident: Generated<number>;
  part: PartId;
  opened_at: number;
  closed_at: number | null;
  note: string | null;
  updated_at: number;
}

interface DonationsTable {
  id: string;
  network: Network;
  address: string;
  script: string;
  key_id: string | null;
  key_index: number | null;
  status: DonationStatus;
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
  role_status: Generated<RoleStatus>;
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
  from_status: DonationStatus;
  to_status: DonationStatus;
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
  kind: 'plain' | 'pegout' | 'hogex';
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
