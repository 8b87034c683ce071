/**
 * Reading query parameters: empty means absent, outer white space is cut,
 * lengths count code points, a repeated parameter is a mistake. The API answers the first problem with 400; pages
 * use the fallback that came back and show a notice.
 */

/** Names and values of a query, decoded, in their order. */
export type QueryPairs = Iterable<readonly [name: string, value: string]>;

/** Texts that need no decoding. */
const PLAIN = /^(?!\?)[!-$&-*,-~]*$/;

/** As URLSearchParams does it, which takes longer than many a question. @param raw without the question mark */
export function splitQuery(raw: string): QueryPairs {
  if (!PLAIN.test(raw)) return new URLSearchParams(raw);
  const pairs: [string, string][] = [];
  for (let from = 0; from < raw.length;) {
    const ampersand = raw.indexOf('&', from);
    const to = ampersand < 0 ? raw.length : ampersand;
    const equals = raw.indexOf('=', from);
    if (equals >= 0 && equals < to) pairs.push([raw.slice(from, equals), raw.slice(equals + 1, to)]);
    else if (to > from) pairs.push([raw.slice(from, to), '']);
    from = to + 1;
  }
  return pairs;
}

export interface QueryProblem {
  readonly parameter: string;
  /** It came as a header of this name. */
  readonly isHeader?: true;
  /** The visitor's value, cut to a length that can be shown. */
  readonly given: string;
  /** Says in Polish what is allowed, without a full stop. */
  readonly allowed: string;
}

export interface Parsed<Query> {
  /** Usable even when there are problems: bad values are replaced by their defaults. */
  readonly query: Query;
  readonly problems: readonly QueryProblem[];
}

const SHOWN_MAX = 60;

export class QueryReader {
  readonly problems: QueryProblem[] = [];
  /** Few, as a rule one: looked through for each parameter that an endpoint knows. */
  readonly #given: readonly (readonly [name: string, value: string])[];

  constructor(parameters: QueryPairs) {
    this.#given = Array.isArray(parameters) ? parameters : [...parameters];
  }

  /** @param lengthMax in code points */
  text(name: string, lengthMax: number): string | undefined {
    const given = this.#single(name);
    if (given === undefined) return undefined;
    // A code point takes a place or two.
    if (given.length <= lengthMax) return given;
    const length = codePointLength(given);
    if (length <= lengthMax) return given;
    return this.#refuse(name, given, `najwyżej ${lengthMax} ${charactersOf(lengthMax)} (podano ${length})`);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const given = this.#single(name);
    if (given === undefined) return fallback;
    const found = choices.find((choice) => choice === given);
    return found ?? this.#refuse(name, given, `dozwolone wartości to ${choices.join(', ')}`) ?? fallback;
  }

  /** A choice without a default; the first one stands in where there is a problem. */
  requiredChoice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    const before = this.problems.length;
    const given = this.#single(name);
    const found = choices.find((choice) => choice === given);
    if (found === undefined && this.problems.length === before)
      this.#refuse(name, given ?? '', `dozwolone wartości to ${choices.join(', ')}`);
    return found ?? choices[0];
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

/** 64 znaki, 100 znaków. */
function charactersOf(count: number): string {
  return new Intl.PluralRules('pl').select(count) === 'few' ? 'znaki' : 'znaków';
}

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
