/** The three lists that the service keeps. */
export type SampleList = 'scammers' | 'servers' | 'legit';

export interface SampleProofItem {
  text?: string;
  url?: string;
  /** In the folder images/ beside this file. */
  file?: string;
  caption?: string;
}

export interface SampleProofs {
  private: boolean;
  items: SampleProofItem[];
}

/** One record of the import format, as the generator makes it; `reportedAt` is ISO 8601 in UTC. */
export interface SampleRecord {
  id: string;
  name: string;
  reason: string;
  verified: boolean;
  reportedAt: string;
  reportId?: string;
  views?: number;
  proofs?: SampleProofs;
}
