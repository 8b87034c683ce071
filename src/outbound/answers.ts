/**
 * Keeps what outgoing calls brought: one flight per key, however many ask; answers for a while; failures for a
 * shorter while, so that asking again and again for what is not there costs the other side nothing.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';

export interface AnswersOptions {
  /** How long an answer is given out again. */
  readonly freshMs: number;
  /** How long a failure is. */
  readonly failureMs: number;
  /** Keys kept; the one asked for least recently goes first. */
  readonly keysMax: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

export interface Answers<Value> {
  /** @throws what `ask` threw, also for those who joined its flight and for those who come while it is remembered */
  get(key: string, ask: () => Promise<Value>): Promise<Value>;
  /** The next one asks again. */
  forget(key: string): void;
}

export function createAnswers<Value>({
  freshMs,
  failureMs,
  keysMax,
  now = () => performance.now(),
}: AnswersOptions): Answers<Value> {
  const kept = new LRUCache<string, { readonly until: number; readonly outcome: Promise<Value> }>({
    max: keysMax,
  });
  const flights = new Map<string, Promise<Value>>();

  return {
    async get(key, ask) {
      const found = kept.get(key);
      if (found && found.until > now()) return found.outcome;
      const flying = flights.get(key);
      if (flying) return flying;
      const outcome = ask();
      flights.set(key, outcome);
      const settle = (forMs: number) => (): void => {
        flights.delete(key);
        // What is never given out must not push out another answer.
        if (forMs > 0) kept.set(key, { until: now() + forMs, outcome });
      };
      outcome.then(settle(freshMs), settle(failureMs));
      return outcome;
    },
    forget: (key) => void kept.delete(key),
  };
}
