/** Clients that keep a server busy while something else is measured. */

export interface Others {
  end(): Promise<void>;
}

/** A client a path, each asking for its own again as soon as it has its answer; no answer comes from a cache. */
export function askBeside(origin: string, paths: readonly string[]): Others {
  let isEnded = false;
  let asked = 0;
  const clients = paths.map(async (path) => {
    while (!isEnded) {
      // Every place in the list is another question.
      asked += 1;
      const client = `10.200.${(asked >>> 8) & 255}.${asked & 255}`;
      const address = `${origin}${path}${asked % 20_000}`;
      await (await fetch(address, { headers: { 'X-Forwarded-For': client } })).arrayBuffer();
    }
  });
  return {
    async end() {
      isEnded = true;
      await Promise.all(clients);
    },
  };
}
