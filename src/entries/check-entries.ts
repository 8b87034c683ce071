import { LIST_KINDS, type ListKind } from './entry.ts';
import { isListed, leaveOutTrusted, listOf, type Published } from './published.ts';

/** SPEC 4.2 rule 2. */
export const CHECK_RESULTS_MAX = 20;

export interface CheckResult {
  readonly kind: ListKind;
  readonly found: readonly Published[];
  readonly hasMore: boolean;
}

/** A hijacked trusted entry is no match. */
export function toCheckResults(found: readonly Published[]): CheckResult[] {
  const matches = found.filter(({ flags }) => isListed(flags));
  const listOfMatch = ({ flags }: Published): ListKind => listOf(flags);
  const [only] = matches;
  if (only !== undefined && matches.length === 1)
    return [{ kind: listOfMatch(only), found: matches, hasMore: false }];
  const shown = leaveOutTrusted(matches, listOfMatch);
  return LIST_KINDS.map((kind) => {
    const ofKind = shown.filter((match) => listOfMatch(match) === kind);
    return { kind, found: ofKind.slice(0, CHECK_RESULTS_MAX), hasMore: ofKind.length > CHECK_RESULTS_MAX };
  }).filter(({ found }) => found.length > 0);
}

export function joinCheck(results: readonly CheckResult[]): string {
  const parts = results.map(
    ({ kind, found }) => `{"kind":"${kind}","entries":[${found.map(({ json }) => json).join()}]}`,
  );
  return `{"results":[${parts.join()}]}`;
}
