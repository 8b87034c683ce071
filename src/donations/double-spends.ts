/**
 * Remembers the outputs that payments spend. When a block spends one in another transaction, the payment is dropped
 * at once.
 */
import { LRUCache } from 'lru-cache';
import type { ChainTransaction } from './record-transaction.ts';

/** A conflict with an evicted one is noticed later, when the mempool drops it. */
const COINS_MAX = 10_000;

export type DoubleSpends = ReturnType<typeof createDoubleSpends>;

export function createDoubleSpends() {
  /** By spent output. */
  const spenders = new LRUCache<string, Set<string>>({ max: COINS_MAX });
  const coinsOf = ({ spends }: ChainTransaction): string[] =>
    spends.map(({ txId, vout }) => `${txId}:${vout}`);
  return {
    add(transaction: ChainTransaction): void {
      for (const coin of coinsOf(transaction)) {
        const known = spenders.get(coin) ?? new Set<string>();
        spenders.set(coin, known.add(transaction.txId));
      }
    },
    /** @returns transactions that can never be mined any more */
    findConflicts(mined: ChainTransaction): string[] {
      const all = coinsOf(mined).flatMap((coin) => [...(spenders.get(coin) ?? [])]);
      return all.filter((txId) => txId !== mined.txId);
    },
  };
}
