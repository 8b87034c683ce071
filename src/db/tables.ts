import type { Generated } from 'kysely';
import type { DonationStatus, RoleStatus } from '../donations/donation-status.ts';
import type { Network } from '../donations/litecoin-network.ts';
import type { AccountState, ListKind, ProofsState } from '../entries/entry.ts';
import type { RemovalReason } from '../removals/removal-reasons.ts';
import type { PartId } from '../status/status.ts';

export interface Tables {
  entries: {
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
    verified_at: number | null;
    account: AccountState;
    account_since: number | null;
    updated_at: number;
    views: number;
  };
  contents: {
    row: number;
    reason: string;
  };
  former_names: {
    former: Generated<number>;
    row: number;
    name: string;
  };
  entry_notes: {
    note: Generated<number>;
    row: number;
    at: number;
    by: string | null;
    text: string;
  };
  appeals: {
    appeal: Generated<number>;
    row: number;
    opened_at: number;
    decided_at: number | null;
    note: string | null;
  };
  entry_counts: {
    day: string;
    what: 'added' | 'removed' | 'granted' | 'decided';
    days: number;
    count: number;
  };
  published: {
    row: number;
    flags: number;
    chat_id: string;
    card: string;
    json: string;
  };
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
  changes: {
    seq: Generated<number>;
    at: number;
    op: 'added' | 'updated' | 'removed';
    list: ListKind;
    entry_id: string;
  };
  change_notes: {
    seq: number;
    by: string | null;
    fields: string | null;
    how: string | null;
  };
  imports: {
    import: Generated<number>;
    key: string;
    at: number;
    list: ListKind;
    first_change: number;
    last_change: number;
    undone_at: number | null;
    file: string | null;
  };
  tombstones: {
    entry_id: string;
    report_id: string;
    list: ListKind;
    removed_at: number;
    reason_code: RemovalReason;
    id_hash: string | null;
  };
  removals: {
    removal: Generated<number>;
    at: number;
    list: string;
    entry_id: string;
    what: 'entry' | 'returned' | 'name' | 'reason' | 'proofs' | 'private';
    reason_code: string | null;
    history: string;
    change: number;
  };
  properties: {
    key: string;
    value: string;
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
  list_indexes: {
    ord: number;
    piece: number;
    version: number;
    elements: Uint8Array;
    names: Uint8Array | null;
  };
  look_alike_hashes: {
    hash: number;
    is_reported: number;
    detail: number | string;
    row: number;
  };
  status_snapshot: {
    one: number;
    checked_at: number;
    body: string;
  };
  status_write_probe: {
    one: number;
    at: number;
    at_monotonic: number | null;
  };
  status_periods: {
    seconds: number;
    at: number;
    part: PartId;
    samples: number;
    ok: number;
    slow: number;
    latency_sum: number | null;
    latency_max: number | null;
  };
  status_streaks: {
    part: PartId;
    ok: number;
    samples: number;
    since: number;
  };
  incidents: {
    incident: Generated<number>;
    part: PartId;
    opened_at: number;
    closed_at: number | null;
    note: string | null;
    updated_at: number;
  };
  donations: {
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
  };
  donation_transitions: {
    seq: Generated<number>;
    donation_id: string;
    at: number;
    from_status: DonationStatus;
    to_status: DonationStatus;
    reason: string | null;
  };
  donation_payers: {
    donation_id: string;
    chat_id: string;
  };
  donation_outputs: {
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
  };
  donation_keys: {
    key_id: string;
    next_index: number;
  };
  litecoin_blocks: {
    height: number;
    hash: string;
  };
  litecoin_rates: {
    at: number;
    rate_grosze: number;
    source: string;
  };
}
