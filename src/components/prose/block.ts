/** What Prose.astro draws: texts may hold `**bold**`, `` `code` `` and `[label](address)`. */
export type Block =
  | string
  | { readonly heading: string; readonly id?: string; readonly level?: 2 | 3 | 4 }
  | { readonly steps: readonly string[] }
  | { readonly list: readonly string[] }
  | { readonly command: string; readonly label: string }
  | { readonly sample: string; readonly label: string }
  | {
      readonly table: readonly (readonly string[])[];
      readonly head: readonly string[];
      readonly caption: string;
    };

export interface ProsePage {
  readonly title: string;
  readonly lead: string;
  readonly blocks: readonly Block[];
}
