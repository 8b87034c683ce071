/** The outside services of the settings, asked as the status page asks them. */
import type { Config } from '#src/config.ts';
import type { Outbound } from '#src/outbound/outbound.ts';
import { createSampler } from '#src/status/take-sample.ts';
import type { PartId } from '#src/status/status.ts';
import { fine, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const NAMES: Readonly<Record<PartId, string>> = {
  database: 'database',
  litecoin: 'Litecoin',
  chat_platform: 'chat platform',
  protection_service: 'protection service',
  main_bot: 'main bot',
  protection_public_bot: 'public protection bot',
  protection_admin_bot: 'admin protection bot',
};

export async function checkOutside(config: Config, outbound: Outbound): Promise<Finding[]> {
  const reasons = new Map<PartId, string>();
  const takeSample = createSampler({
    settings: config,
    outbound,
    report: (part, reason) => reasons.set(part, reason),
  });
  const { checks, bots } = await takeSample(() => {});
  const asked = [
    ...checks.filter(({ id, latencyMs }) => id !== 'database' && latencyMs > 0),
    ...bots.filter(({ state }) => state !== 'not_configured'),
  ];
  return asked.map(({ id, ok }) =>
    ok
      ? fine(NAMES[id], 'answers')
      : wrong(
          NAMES[id],
          `is not well: ${reasons.get(id) ?? 'it does not run'}`,
          'is its address in the settings right, and does it run?',
        ),
  );
}
