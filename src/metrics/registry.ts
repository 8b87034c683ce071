/**
 * The metrics of one process of ours. request-metrics.ts counts what the web process answers, and answer-scrapes.ts tells
 * them to the supervisor, which puts those of all processes together and serves them. No address, name or ID is a label of
 * any of them.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** @param process `web` or `worker`: a label of everything that it tells */
export function createRegistry(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * A number that is read when somebody asks.
 * @param read undefined, or an error, leaves it out
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | undefined,
): void {
  addGauges(registry, name, help, 'part', () => {
    const value = read();
    return value === undefined ? {} : { '': value };
  });
}

/** @param read numbers by the value of the label; under '' one without a label */
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
        // What cannot be read is missing, which alert rules tell apart from a good value.
      }
    },
  });
}
