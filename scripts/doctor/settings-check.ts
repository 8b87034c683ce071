/** Settings that are right one by one and wrong together, or missing though something needs them. */
import { statSync } from 'node:fs';
import { findFolderProblem } from '#src/backups/check-backup-folder.ts';
import type { Config } from '#src/config.ts';
import { listMissing } from '#src/config/missing-settings.ts';
import { fine, notice, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const ABOUT = 'settings';

/** @param given names of the settings that somebody has set */
export function checkSettings(config: Config, given: ReadonlySet<string>): Finding[] {
  const { donations, litecoin } = config;
  const found: Finding[] = [];
  const add = (finding: Finding): void => void found.push(finding);
  if (!given.has('BASE_URL')) {
    add(
      wrong(
        ABOUT,
        `BASE_URL is not set: links and feeds name ${config.baseUrl}`,
        'set BASE_URL to the public address, for example https://czujka.example',
      ),
    );
  } else if (config.baseUrl.startsWith('https:') && config.trustedProxies.length === 0) {
    add(
      wrong(
        ABOUT,
        'BASE_URL is https, which only a proxy can speak here, and TRUST_PROXY is not set: all visitors share one limit',
        'set TRUST_PROXY=loopback, or to the address that the proxy connects from',
      ),
    );
  }
  if (!config.isDatabaseNamed)
    add(
      notice(
        ABOUT,
        `DATABASE_PATH is not set: the database is ${config.databasePath}, below the working directory`,
      ),
    );
  if (!config.backups)
    add(
      wrong(
        ABOUT,
        'BACKUP_FOLDER is not set: no backups are made',
        'set it to a folder, better on another disk',
      ),
    );
  const folderProblem = config.backups && findFolderProblem(config.backups.folder, config.dataFolder);
  if (folderProblem !== undefined)
    add(wrong(ABOUT, folderProblem, 'set BACKUP_FOLDER to a folder that only backups use'));
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port)
    add(wrong(ABOUT, 'METRICS_PORT is PORT', 'give the metrics a port of their own'));
  const hasChainSource = litecoin.rpc !== undefined || litecoin.esploraUrl !== undefined;
  if (donations.accountKey !== undefined && !hasChainSource)
    add(
      wrong(
        ABOUT,
        'LITECOIN_XPUB is set, and nothing looks for payments',
        'set LITECOIN_RPC_URL or LITECOIN_ESPLORA_URL',
      ),
    );
  if (
    donations.accountKey !== undefined &&
    (donations.premiumMonthPln === undefined || donations.premiumLifetimePln === undefined)
  )
    add(
      wrong(
        ABOUT,
        'LITECOIN_XPUB is set without both prices: no donation can be made',
        'set LITECOIN_PREMIUM_MONTH_PLN and LITECOIN_PREMIUM_LIFETIME_PLN',
      ),
    );
  const missing = listMissing(config);
  if (missing.length > 0)
    add(
      notice(
        ABOUT,
        `${missing.join(', ')} not set: pages leave out what they would say`,
        'set what visitors need to know, and restart',
      ),
    );
  const file = statSync('.env', { throwIfNoEntry: false });
  // install.sh gives it to root, and the group of the service may read it.
  const mode = file?.uid === 0 ? 0o640 : 0o600;
  if (file && (file.mode & 0o077 & ~mode) !== 0)
    add(
      wrong(
        ABOUT,
        '.env holds secrets, and others on this machine may read or change it',
        `run: chmod ${mode.toString(8)} .env`,
      ),
    );
  return found.some(({ state }) => state === 'wrong') ? found : [...found, fine(ABOUT, 'are right')];
}
