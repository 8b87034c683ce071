/** The ways in which a person, a terminal or systemd ends a verb. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** For work in several transactions, which ends between two of them and says how far it came. */
export function listenForStop(): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}
