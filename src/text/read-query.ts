/**
 * Reads query parameters: empty means absent, outer white space is trimmed, lengths count code points, repeated
 * parameters are refused. The API answers the first problem with 400; pages use the fallback and show a notice.
 */

export type QueryPairs = Iterable<readonly [name: string, value: string]>;

export interface QueryProblem {
  readonly parameter: string;
  /** Sent as a header of this name. */
  readonly isHeader?: true;
  readonly given: string;
  /** The allowed values in Polish, without a full stop. */
  readonly allowed: string;
}

export interface Parsed<Query> {
  /** Has the default in place of every bad value. */
  readonly query: Query;
  readonly problems: readonly QueryProblem[];
}

const SHOWN_MAX = 60;

export class QueryReader {
  readonly problems: QueryProblem[] = [];
  readonly #given: readonly (readonly [name: string, value: string])[];

  constructor(parameters: QueryPairs) {
    this.#given = [...parameters];
  }

  text(name: string, lengthMax: number): string | undefined {
    const given = this.#single(name);
    if (given === undefined) return undefined;
    // A code point takes one or two units.
    if (given.length <= lengthMax) return given;
    const length = codePointLength(given);
    if (length <= lengthMax) return given;
    return this.#refuse(name, given, `najwyżej ${lengthMax} ${charactersOf(lengthMax)} (podano ${length})`);
  }

  /** Without a fallback a missing value is a problem, and the first choice stands in for it. */
  choice<Choice extends string>(
    name: string,
    choices: readonly [Choice, ...Choice[]],
    fallback?: Choice,
  ): Choice {
    const before = this.problems.length;
    const given = this.#single(name);
    const found = choices.find((choice) => choice === given);
    const mayLack = fallback !== undefined || this.problems.length > before;
    if (found === undefined && !(given === undefined && mayLack))
      this.#refuse(name, given ?? '', `dozwolone wartości to ${choices.join(', ')}`);
    return found ?? fallback ?? choices[0];
  }

  integer(name: string, min: number, max: number, fallback: number): number {
    const given = this.#single(name);
    if (given === undefined) return fallback;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    return this.#refuse(name, given, `liczba całkowita od ${min} do ${max}`) ?? fallback;
  }

  result<Query>(query: Query): Parsed<Query> {
    return { query, problems: this.problems };
  }

  #single(name: string): string | undefined {
    let found: string | undefined;
    for (const [given, value] of this.#given) {
      if (given !== name) continue;
      if (found !== undefined) return this.#refuse(name, this.#all(name), 'można go podać tylko raz');
      found = value;
    }
    return found?.trim() || undefined;
  }

  #all(name: string): string {
    return this.#given
      .filter(([given]) => given === name)
      .map(([, value]) => value)
      .join(', ');
  }

  #refuse(parameter: string, given: string, allowed: string): undefined {
    this.problems.push({
      parameter,
      given: [...given.slice(0, 4 * SHOWN_MAX)].slice(0, SHOWN_MAX).join(''),
      allowed,
    });
    return undefined;
  }
}

function charactersOf(count: number): string {
  return new Intl.PluralRules('pl').select(count) === 'few' ? 'znaki' : 'znaków';
}

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
