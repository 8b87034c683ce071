/**
 * This remembers the outputs that payments spend. A block that spends one of them in another transaction ends the payment
 * at once.
 */
import { LRUCache } from 'lru-cache';
import type { ChainTransaction } from './record-transaction.ts';

export interface RivalSpends {
  /** Remembers a transaction that a donation has to do with. */
  note(transaction: ChainTransaction): void;
  /** @param mined a transaction of a block. @returns those that can never be mined beside it */
  findLosers(mined: ChainTransaction): string[];
}

/** The oldest are forgotten; they are missed a little later then. */
const COINS_MAX = 10_000;

export function createRivalSpends(): RivalSpends {
  /** By coin, the transactions that spend it. */
  const spenders = new LRUCache<string, Set<string>>({ max: COINS_MAX });
  const coinsOf = ({ spends }: ChainTransaction): string[] =>
    spends.map(({ txId, vout }) => `${txId}:${vout}`);
  return {
    note(transaction) {
      for (const coin of coinsOf(transaction)) {
        const known = spenders.get(coin) ?? new Set<string>();
        spenders.set(coin, known.add(transaction.txId));
      }
    },
    findLosers(mined) {
      const all = coinsOf(mined).flatMap((coin) => [...(spenders.get(coin) ?? [])]);
      return all.filter((txId) => txId !== mined.txId);
    },
  };
}
