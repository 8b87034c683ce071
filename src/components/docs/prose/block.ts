/** What Prose.astro draws: texts may hold `**bold**`, `` `code` `` and `[label](address)`. */
export type Block =
  | string
  | {
      readonly heading: string;
      readonly id?: string;
      readonly level?: 2 | 3 | 4;
      /** Linked to, but not from the contents. */
      readonly isUnlisted?: boolean;
    }
  | { readonly steps: readonly string[] }
  | { readonly list: readonly string[] }
  | { readonly tabs: readonly CodeTab[]; readonly label: string }
  | { readonly tryIt: TryIt }
  | { readonly command: string; readonly label: string }
  | { readonly sample: string; readonly label: string }
  | {
      readonly table: readonly (readonly string[])[];
      readonly head: readonly string[];
      readonly caption: string;
    };

/** The same in one language after the other. */
export interface CodeTab {
  readonly language: string;
  readonly code: string;
}

/** A form that asks an endpoint. */
export interface TryIt {
  /** Of its own on the page. */
  readonly id: string;
  /** Path; parameters in it are filled in. */
  readonly action: string;
  readonly fields: readonly {
    readonly name: string;
    /** What stands in it at first. */
    readonly value: string;
    /** Empty: any text. */
    readonly choices: readonly string[];
    /** What is taken when nothing is given. */
    readonly fallback: string;
  }[];
}

export interface ProsePage {
  readonly title: string;
  readonly lead: string;
  readonly blocks: readonly Block[];
}
