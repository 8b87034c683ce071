/** The verbs `doctor` and `settings`: they change nothing, and work also when the settings are wrong. */
import { Option, type Command } from 'commander';
import { ConfigError, listSettings, listSettingWarnings, readConfig, type Config } from '../config.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { BadInputError, EXIT_BAD_INPUT, EXIT_COULD_NOT_RUN } from '../operator-error.ts';
import { checkBackups } from './doctor/backup-check.ts';
import { checkDatabase } from './doctor/database-check.ts';
import { checkRemovedFile } from './doctor/removals-check.ts';
import { checkRights, checkRoom } from './doctor/disk-check.ts';
import { lookAll, wrong, type Finding, type Look } from './doctor/finding.ts';
import { checkClock, checkNodeClock, checkOutside } from './doctor/outside-check.ts';
import { checkPublic } from './doctor/public-check.ts';
import { findLostDatabase } from './doctor/lost-database.ts';
import { checkReady } from './doctor/service-check.ts';
import { checkSettings } from './doctor/settings-check.ts';
import { printNotice, print, type Cli } from './console/cli.ts';
import { counted } from './console/outcome.ts';
import { readLine } from './console/read-input.ts';

const MARKS: Readonly<Record<Finding['state'], string>> = {
  fine: '  ok    ',
  notice: '  note  ',
  wrong: 'WRONG   ',
  unknown: '  ?     ',
};

/** Names of findings that can be left out. */
const CHECKS: readonly string[] =
  'settings rights disk service database appeals removals proofs worker search backup clock services'.split(
    ' ',
  );

/** A line of the log. */
const LOG_LINE_MAX_BYTES = 1024 * 1024;

interface DoctorOptions {
  public?: boolean;
  quiet?: boolean;
  skip: readonly string[];
  request?: string;
}

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('say in plain words what is wrong, and what to do; exit code 1 when something is')
    .option('--public', 'also ask the service through BASE_URL: certificate, proxy, addresses of clients')
    .option('--quiet', 'print only what is wrong or could not be looked at, for a timer')
    .option('--request <number>', 'say what the log on standard input has of a failed request')
    .addOption(new Option('--skip <name...>', 'leave out checks').choices(CHECKS).default([]))
    .action(async ({ public: isPublic = false, quiet = false, skip, request }: DoctorOptions) => {
      if (request !== undefined) {
        const text = await findRequest(cli, request);
        return print(cli, text, text);
      }
      const all = await examine(isPublic, new Set(skip), cli.environment);
      const findings = quiet ? all.filter(({ state }) => state === 'wrong' || state === 'unknown') : all;
      if (!quiet || findings.length > 0) print(cli, findings, format(findings));
      if (findings.some(({ state }) => state === 'wrong')) cli.exitCode = EXIT_BAD_INPUT;
      else if (findings.some(({ state }) => state === 'unknown')) cli.exitCode = EXIT_COULD_NOT_RUN;
    });

  program
    .command('settings')
    .description('print what holds and where it comes from, secrets masked')
    .option('--quiet', 'print only what is wrong, and what is ignored')
    .action(({ quiet = false }: { quiet?: boolean }) => {
      const settings = listSettings(cli.environment);
      const lines = settings.map(({ name, value, from }) =>
        value === undefined ? `${name}: not set` : `${name}=${value}  (${from})`,
      );
      if (!quiet) print(cli, settings, lines.join('\n'));
      for (const warning of listSettingWarnings(cli.environment)) printNotice(cli, warning);
      try {
        readConfig({}, cli.environment);
      } catch (error) {
        if (error instanceof ConfigError) throw new BadInputError(error.message, { cause: error });
        throw error;
      }
    });
}

type Logged = Readonly<Record<'time' | 'route' | 'msg', string> & { err?: { readonly stack: string } }>;

/**
 * Finds a failed request in the log by the number that its client received.
 * @throws {BadInputError} when standard input is no log, or has no such request
 */
async function findRequest({ stdin }: Cli, requestId: string): Promise<string> {
  const howTo = `as root: journalctl -u czujka -o cat | czujka doctor --request ${requestId}`;
  if (stdin.isTTY) throw new BadInputError(`the log is read from standard input; ${howTo}`);
  const found: string[] = [];
  for (let bytes; (bytes = await readLine(stdin, LOG_LINE_MAX_BYTES)) !== undefined;) {
    const line = bytes.toString();
    // `docker compose logs` writes a name before each line.
    if (!line.includes(`"requestId":"${requestId}"`)) continue;
    const { time, route, msg, err } = JSON.parse(line.slice(line.indexOf('{'))) as Logged;
    found.push(`${time} ${route}: ${msg}`, ...(err ? [err.stack] : []));
  }
  if (found.length === 0) throw new BadInputError(`the log has no failed request ${requestId}; ${howTo}`);
  return found.join('\n');
}

/** @param isPublic whether to ask through BASE_URL too @param skipped names of findings that are left out */
async function examine(
  isPublic: boolean,
  skipped: ReadonlySet<string>,
  environment: Cli['environment'],
): Promise<Finding[]> {
  const config = readSettings(environment);
  if (Array.isArray(config)) return config;
  const given = new Set(
    listSettings(environment).flatMap(({ name, from }) =>
      from === 'environment' || from === '.env' ? [name] : [],
    ),
  );
  const outbound = createOutbound();
  const lost = findLostDatabase(config);
  const looks: readonly Look[] = [
    ['settings', () => checkSettings(config, given, listSettingWarnings(environment))],
    ['rights', () => checkRights(config)],
    ['disk', () => checkRoom(config)],
    // For a lost one they would say to start the service, or what to do with the file in its place.
    ['service', () => (lost.length > 0 ? [] : checkReady(config))],
    ['database', () => (lost.length > 0 ? lost : checkDatabase(config))],
    ['removals', () => checkRemovedFile(config)],
    ['backup', () => checkBackups(config, Date.now())],
    ['clock', checkClock],
    ['clock', () => checkNodeClock(config, outbound)],
    ['services', () => checkOutside(config, outbound)],
    ['public address', () => (isPublic ? checkPublic(config) : [])],
  ];
  const findings = await lookAll(looks.filter(([about]) => !skipped.has(about)));
  return findings.filter(({ about }) => !skipped.has(about));
}

function readSettings(environment: Cli['environment']): Config | Finding[] {
  try {
    return readConfig({}, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const todo = 'mend it in .env or the environment, and start the service again';
    return error.problems.map((problem) => ({ about: 'settings', ...wrong(problem, todo) }));
  }
}

function format(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ about, state, says, todo }) => [
    `${MARKS[state]}${about}: ${says}`,
    ...(todo === undefined ? [] : [`        → ${todo}`]),
  ]);
  const count = (state: Finding['state']): number => findings.filter((one) => one.state === state).length;
  const unlooked = count('unknown');
  const end = count('wrong') > 0 ? `${counted(count('wrong'), 'thing')} to mend` : 'nothing is wrong';
  return [...lines, unlooked > 0 ? `${end}; ${unlooked} could not be looked at` : end].join('\n');
}
