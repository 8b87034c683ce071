/** Entries whose nicks look like another one, as pages show them: a warning, never a verdict. */
import type { EntrySummary } from '#src/entries/entry.ts';

/** A piece of a nick. */
export interface NickPiece {
  readonly text: string;
  /** Another stands here in the nick that it looks like. */
  readonly differs: boolean;
}

export interface LikeEntry {
  readonly entry: EntrySummary;
  readonly pieces: readonly NickPiece[];
  /** The nick that was asked for. */
  readonly askedPieces: readonly NickPiece[];
  /** The differences of the two nicks in words; „tu” is the one that was asked for. Empty: at most case differs. */
  readonly reasons: readonly string[];
  /** Words and numbers around a trusted nick, where nothing else differs. */
  readonly affixes: readonly string[];
  readonly polishOnly: boolean;
  /** To the letter. */
  readonly isSame: boolean;
}

export interface Likeness {
  readonly trusted: readonly LikeEntry[];
  readonly reported: readonly LikeEntry[];
}
