/** What a preview says: the picture that a chat shows beside a link. */
export interface Preview {
  readonly mark: PreviewMark;
  /** What is so, in a few words: at most two lines. */
  readonly title: string;
  /** Whom or what it is about. A line that the font cannot draw whole is left out. */
  readonly lines: readonly string[];
  /** What does not follow from it. */
  readonly note: string;
  /** As of when it is so. */
  readonly foot: string;
}

/** The four roles and „no state” as pages show them; `sign` is the service's own. */
export type PreviewMark = 'stop' | 'warn' | 'good' | 'none' | 'off' | 'sign';
