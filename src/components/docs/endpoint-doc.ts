/** An endpoint as the documentation shows it; texts hold the marks of Rich.astro. */
export interface EndpointDoc extends Readonly<Record<'path' | 'text', string>> {
  /** Also the anchor. */
  readonly id: string;
  readonly parameters: readonly FieldDoc[];
  /** Parts of the answer that no endpoint above has described. */
  readonly types: readonly TypeDoc[];
  /** Links to parts of the answer that were described above. */
  readonly answer: string;
  readonly example: Readonly<Record<'request' | 'code', string>> | undefined;
  readonly form: TryIt | undefined;
}

export type FieldDoc = readonly [name: string, typeAndMeaning: string];

export interface TypeDoc extends Readonly<Record<'id' | 'name' | 'text', string>> {
  readonly fields: readonly FieldDoc[];
}

export interface TryIt {
  /** Path; parameters in it are filled in. */
  readonly action: string;
  readonly fields: readonly TriedField[];
}

interface TriedField extends Readonly<Record<'name' | 'value' | 'fallback', string>> {
  /** Empty: any text. */
  readonly choices: readonly string[];
}
