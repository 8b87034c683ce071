/** An endpoint as the documentation shows it; texts hold the marks of Rich.astro. */
export interface EndpointDoc {
  /** Also the anchor. */
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly FieldDoc[];
  /** Parts of the answer that no endpoint above has described. */
  readonly types: readonly TypeDoc[];
  /** Links to parts of the answer that were described above. */
  readonly answer: string;
  readonly example: { readonly request: string; readonly code: string } | undefined;
  readonly form: TryIt | undefined;
}

export interface FieldDoc {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

export interface TypeDoc {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly fields: readonly FieldDoc[];
}

export interface TryIt {
  /** Path; parameters in it are filled in. */
  readonly action: string;
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
    /** Empty: any text. */
    readonly choices: readonly string[];
    readonly fallback: string;
  }[];
}
