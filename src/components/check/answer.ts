/** Answers of the check, as pages read them and components show them. */
import type { PublicEntry, PublicSummary, ListKind } from '#src/entries/entry.ts';
import type { NamePart } from '#src/entries/mark-name.ts';
import type { ProofsSummary } from '#src/proofs/list-public-proofs.ts';
import type { Found } from './nick-answer-texts.ts';
import type { Role } from '../ui/role.ts';

/** Finds the entry with the same ID that matters more than this one: a reported person must not look trusted. */
export type ReportOfTrusted = (entry: PublicSummary) => PublicSummary | undefined;

export interface LikeEntry {
  readonly entry: PublicSummary;
  readonly parts: readonly NamePart[];
  /** The nick that was asked for. */
  readonly askedParts: readonly NamePart[];
  /** The difference of the two in a sentence. */
  readonly reason: string;
  /** The entry had the nick before. */
  readonly isFormer: boolean;
}

/** Entries whose nicks look like another one: a warning, never a verdict. */
export interface Likeness {
  readonly trusted: readonly LikeEntry[];
  readonly reported: readonly LikeEntry[];
}

export interface IdAnswer {
  readonly by: 'id';
  readonly title: string;
  readonly id: string;
  /** Undefined: no list has the ID. */
  readonly entry: PublicEntry | undefined;
  /** Its names before, newest first. */
  readonly formerNames: readonly string[];
  /** Entries of other lists with the same ID. */
  readonly others: readonly PublicSummary[];
  /** A trusted entry has the ID too, and is not shown. */
  readonly leavesOutTrusted: boolean;
  /** Only of an ID without an entry: whether the platform has an account with it. */
  readonly isAccount: boolean;
  /** Undefined: it has no proofs that everybody can see. */
  readonly proofsSummary: ProofsSummary | undefined;
  /** Entries whose nicks look like its own; undefined while the index is being made. */
  readonly likeness: Likeness | undefined;
}

/** An entry that was found by its name, the part marked that matched. */
export interface Hit {
  readonly entry: PublicSummary;
  readonly parts: readonly NamePart[];
}

/** It never says "this person": anybody can have a nick. */
export interface NickAnswer {
  readonly by: 'nick';
  readonly title: string;
  /** Asks whether this nick was meant, which is a word of a sentence. */
  readonly meant?: string;
  readonly search: string;
  readonly role: Role;
  /** Entries have this nick but for diacritics or invisible characters. */
  readonly isNear: boolean;
  readonly found: Found;
  readonly same: readonly Hit[];
  readonly similar: readonly Hit[];
  readonly reportOfTrusted: ReportOfTrusted;
  /** Lists that hold more than the check returns. */
  readonly cutLists: readonly ListKind[];
  /** Undefined while the index is being made. */
  readonly likeness: Likeness | undefined;
}
