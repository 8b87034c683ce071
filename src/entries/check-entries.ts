import { LIST_KINDS, type ListKind } from './entry.ts';

/** SPEC 4.2 rule 2. */
export const CHECK_RESULTS_MAX = 20;

export interface CheckResult<Found> {
  readonly kind: ListKind;
  readonly found: readonly Found[];
  readonly hasMore: boolean;
}

/** SPEC 4.2 rule 3: a trusted entry beside a reported one could be read as an all-clear. */
export function leaveOutTrusted<Found>(
  matches: readonly Found[],
  listOf: (found: Found) => ListKind,
): readonly Found[] {
  const reported = matches.filter((match) => listOf(match) !== 'legit');
  return reported.length > 0 ? reported : matches;
}

export function toCheckResults<Found>(
  matches: readonly Found[],
  listOf: (found: Found) => ListKind,
): CheckResult<Found>[] {
  const [only] = matches;
  if (only !== undefined && matches.length === 1)
    return [{ kind: listOf(only), found: matches, hasMore: false }];
  const shown = leaveOutTrusted(matches, listOf);
  return LIST_KINDS.map((kind) => {
    const found = shown.filter((match) => listOf(match) === kind);
    return { kind, found: found.slice(0, CHECK_RESULTS_MAX), hasMore: found.length > CHECK_RESULTS_MAX };
  }).filter(({ found }) => found.length > 0);
}

export function joinCheck(
  results: readonly { readonly kind: ListKind; readonly found: readonly { readonly json: string }[] }[],
): string {
  const parts = results.map(
    ({ kind, found }) => `{"kind":"${kind}","entries":[${found.map(({ json }) => json).join()}]}`,
  );
  return `{"results":[${parts.join()}]}`;
}
