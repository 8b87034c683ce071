/** Settings that are right one by one and wrong together, and missing ones that something needs. */
import { statSync } from 'node:fs';
import { findFolderProblem } from '../../backups/check-backup-folder.ts';
import type { Config } from '../../config.ts';
import { listMissing } from '../../config/missing-settings.ts';
import { fine, notice, wrong, type Found } from './finding.ts';

/** Ranges of more addresses than a proxy or a network of proxies has; the second form is IPv4 in IPv6. */
const WIDE_RANGE = /\/[0-6]$|^::ffff:.*\/(?:9[6-9]|10[0-2])$/i;

/** @param given names of the settings that are set @param ignored a sentence for each setting without effect */
export function checkSettings(
  config: Config,
  given: ReadonlySet<string>,
  ignored: readonly string[],
): Found[] {
  const { donations, litecoin, baseUrl } = config;
  const hasChainSource = litecoin.rpc !== undefined || litecoin.esploraUrl !== undefined;
  const hasPrices = donations.premiumMonthPln !== undefined && donations.premiumLifetimePln !== undefined;
  const folderProblem = config.backups && findFolderProblem(config.backups.folder, config.dataFolder);
  const wide = config.trustedProxies.find((range) => WIDE_RANGE.test(range));
  const file = statSync('.env', { throwIfNoEntry: false });
  // install.sh gives the file to root, and the group of the service may read it.
  const mode = file?.uid === 0 ? 0o640 : 0o600;
  const faults: readonly (readonly [isThere: boolean, says: string, todo: string])[] = [
    [
      !given.has('BASE_URL'),
      `BASE_URL is not set: links and feeds name ${baseUrl}`,
      'set BASE_URL to the public address, for example https://czujka.example',
    ],
    [
      given.has('BASE_URL') && baseUrl.startsWith('https:') && config.trustedProxies.length === 0,
      'BASE_URL is https, which only a proxy can speak here, and TRUST_PROXY is not set: all visitors share one limit',
      'set TRUST_PROXY=loopback, or to the address that the proxy connects from',
    ],
    [
      wide !== undefined,
      `TRUST_PROXY trusts ${wide}: visitors may choose their address, and with it get past the limits`,
      'set TRUST_PROXY to the address that the proxy connects from, or to its network',
    ],
    [
      !config.backups,
      'BACKUP_FOLDER is not set: no backups are made',
      'set it to a folder, better on another disk',
    ],
    [
      donations.accountKey !== undefined && !hasChainSource,
      'LITECOIN_XPUB is set, and nothing looks for payments',
      'set LITECOIN_RPC_URL or LITECOIN_ESPLORA_URL',
    ],
    [
      donations.accountKey !== undefined && !hasPrices,
      'LITECOIN_XPUB is set without both prices: no donation can be made',
      'set LITECOIN_PREMIUM_MONTH_PLN and LITECOIN_PREMIUM_LIFETIME_PLN',
    ],
    [folderProblem !== undefined, folderProblem ?? '', 'set BACKUP_FOLDER to a folder that only backups use'],
    [
      file !== undefined && (file.mode & 0o077 & ~mode) !== 0,
      '.env holds secrets, and others on this machine may read or change it',
      `run: chmod ${mode.toString(8)} .env`,
    ],
  ];
  const found = faults.filter(([isThere]) => isThere).map(([, says, todo]) => wrong(says, todo));
  const notices = ignored.map((says) => notice(says, 'take it out, or mend its name'));
  const { databasePath: path, isDatabaseNamed } = config;
  const unnamed = `DATABASE_PATH is not set: the database is ${path}, below the working directory`;
  if (!isDatabaseNamed) notices.push(notice(unnamed));
  const missing = listMissing(config);
  if (missing.length > 0) {
    const says = `${missing.join(', ')} not set: pages leave out what they would say`;
    notices.push(notice(says, 'set what visitors need to know, and restart'));
  }
  return found.length > 0 ? [...found, ...notices] : [...notices, fine('are right')];
}
