/** The ways in which a person, a terminal or systemd ends a verb. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** For work in several transactions, which ends between two of them and says how far it came. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
