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

interface Kept<Value> {
  readonly until: number;
  readonly outcome: { readonly value: Value } | { readonly error: unknown };
}

export function createAnswers<Value>({
  freshMs,
  failureMs,
  keysMax,
  now = () => performance.now(),
}: AnswersOptions): Answers<Value> {
  const kept = new LRUCache<string, Kept<Value>>({ max: keysMax });
  const flights = new Map<string, Promise<Value>>();

  const keep = (key: string, entry: Kept<Value>): void => {
    // What is never given out must not push out another answer.
    if (entry.until > now()) kept.set(key, entry);
    else kept.delete(key);
  };

  const fly = async (key: string, ask: () => Promise<Value>): Promise<Value> => {
    try {
      const value = await ask();
      keep(key, { until: now() + freshMs, outcome: { value } });
      return value;
    } catch (error) {
      keep(key, { until: now() + failureMs, outcome: { error } });
      throw error;
    } finally {
      flights.delete(key);
    }
  };

  return {
    async get(key, ask) {
      const found = kept.get(key);
      if (found && found.until > now()) {
        if ('error' in found.outcome) throw found.outcome.error;
        return found.outcome.value;
      }
      const flying = flights.get(key);
      if (flying) return flying;
      const flight = fly(key, ask);
      flights.set(key, flight);
      return flight;
    },
    forget: (key) => void kept.delete(key),
  };
}
