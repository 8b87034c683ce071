import type { Generated } from 'kysely';
import type { DonationStatus, RoleStatus } from './donation-status.ts';
import type { Network } from './litecoin-network.ts';

declare module '../db/tables.ts' {
  interface Tables {
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
}
