/**
 * The metrics of one process. observe-responses.ts measures the web process, and answer-scrapes.ts sends them to the
 * supervisor, which serves those of all processes. No label contains an address, a name or an ID.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** @param process `web` or `worker`: a label of all its metrics */
export function createRegistry(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Read for each scrape. @param read undefined, or an error, leaves the number out */
export function addGauge(registry: Registry, name: string, help: string, read: () => number | undefined) {
  addGauges(registry, name, help, 'part', () => {
    const value = read();
    return value === undefined ? {} : { '': value };
  });
}

/** @param read numbers by label value; under '' a number without a label */
export function addGauges<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: Label,
  read: () => Readonly<Record<string, number>>,
): void {
  new Gauge<Label>({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      try {
        for (const [value, number] of Object.entries(read()))
          if (value === '') this.set(number);
          else this.set({ [label]: value } as Record<Label, string>, number);
      } catch {
        // An alert rule sees a missing number.
      }
    },
  });
}
