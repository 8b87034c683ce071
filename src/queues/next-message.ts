import { once, type EventEmitter } from 'node:events';

/** Waits for a worker thread or child process. @throws when it ends before, or the signal's reason */
export async function nextMessage<T>(sender: EventEmitter, signal?: AbortSignal): Promise<T> {
  const over = new AbortController();
  const options = { signal: signal ? AbortSignal.any([over.signal, signal]) : over.signal };
  try {
    const [message] = (await Promise.race([
      once(sender, 'message', options),
      once(sender, 'exit', options).then(([code, name]) => {
        throw new Error(`ended with ${String(name ?? `code ${String(code)}`)}`);
      }),
    ])) as [T];
    return message;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}
