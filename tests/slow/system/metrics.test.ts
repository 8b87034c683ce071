// Needs: promtool
/** Prometheus scrapes the metrics, and alert rules and dashboard name existing ones. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { startProcess } from '../../support/start-process.ts';
import { ask } from '../../support/test-site.ts';

const ROOT = join(import.meta.dirname, '../../..');
const RULES = join(ROOT, 'scripts/deploy/prometheus-alerts.yml');
const DASHBOARD = join(ROOT, 'scripts/deploy/grafana-dashboard.json');
const ID = '1572250755006587457';

interface Scraped {
  readonly text: string;
  /** Names of the metrics. */
  readonly names: ReadonlySet<string>;
  readonly folder: string;
  /** The status of an unknown path. */
  readonly otherStatus: number;
}

let scraped: Promise<Scraped> | undefined;
/** The metrics of a service that has answered requests: whichever test comes first runs it. */
const scrapeOnce = (): Promise<Scraped> => (scraped ??= runService());

/** Words of an expression that are metrics: the others are functions, labels and their values. */
function metricsOf(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|"[^"]*"|by \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*_[a-z0-9_]+\b/g)]
    .map(([name]) => name)
    .filter((name) => name !== 'histogram_quantile');
}

async function runService(): Promise<Scraped> {
  const operator = makeCommandLine();
  const record = makeRecord({ id: ID, name: 'a very special nick' });
  await operator.succeed('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
  const service = startProcess(join(ROOT, 'scripts/start.ts'), {
    cwd: operator.folder,
    settings: {
      DATABASE_PATH: operator.databasePath,
      PORT: '0',
      METRICS_PORT: '0',
      BACKUP_FOLDER: join(operator.folder, 'backups'),
      LOG_LEVEL: 'debug',
    },
  });
  const { port } = await service.logged({ msg: 'listening' });
  const { port: metricsPort, host } = await service.logged({ msg: 'metrics are served' });
  expect(host).toBe('127.0.0.1');
  for (const job of ['backup', 'status']) await service.logged({ msg: 'job ended', job });
  for (const path of [
    `/api/check?id=${ID}`,
    `/api/check?search=special`,
    `/scammers?search=special`,
    `/api/chat/avatar/${ID}`,
    `/proofs/${ID}`,
    `/${ID}`,
    `/api/${ID}`,
    '/favicon.svg',
  ])
    await ask(Number(port), path);
  const scrape = async (): Promise<string> => (await ask(Number(metricsPort), '/metrics')).text;
  let text = '';
  await vi.waitUntil(async () => {
    // A change that the worker follows meanwhile drops what is kept: sooner or later there is a hit.
    await ask(Number(port), '/api/scammers');
    text = await scrape();
    return (
      /czujka_cache_looks_total\{found="hit",process="web"\} [1-9]/.test(text) &&
      text.includes('czujka_follower_behind_changes{follower="list-indexes",process="worker"} 0') &&
      /backup_age_seconds{[^}]*} \d/.test(text)
    );
  });
  const names = new Set([...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{| )/gm)].map(([, name = '']) => name));
  const otherStatus = (await ask(Number(metricsPort), '/')).status;
  return { text, names, folder: operator.folder, otherStatus };
}

describe('metrics', () => {
  it('are told by both processes, without addresses, names and IDs', async () => {
    const { text, folder, otherStatus } = await scrapeOnce();
    expect(text).toMatch(/czujka_process_up\{process="web"\} 1/);
    expect(text).toMatch(/czujka_process_up\{process="worker"\} 1/);
    expect(text).toMatch(/czujka_worker_acting\{process="worker"\} 1/);
    expect(text).toMatch(/czujka_requests_total\{route="\/api\/check",status="200",process="web"\} 2/);
    expect(text).toMatch(/czujka_requests_total\{route="\/scammers",status="200",process="web"\} 1/);
    expect(text).toMatch(
      /czujka_requests_total\{route="\/api\/chat\/avatar\/\{chatId\}",status="200",process="web"\} 1/,
    );
    expect(text).toMatch(/czujka_requests_total\{route="page",status="404",process="web"\} \d/);
    expect(text).toMatch(/czujka_requests_total\{route="file",status="200",process="web"\} 1/);
    expect(text).toMatch(/czujka_job_last_success_timestamp_seconds\{job="backup",process="worker"\} 1\d{9}/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds\{process="web"\}/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds\{process="worker"\}/);
    expect(text).toMatch(/czujka_connections_refused_total\{process="web"\} 0/);
    for (const secret of [ID, 'special', '127.0.0', folder]) expect(text).not.toContain(secret);

    expect(otherStatus).toBe(404);
  });

  it('are all that the alert rules name, which promtool accepts', async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/SUCCESS: 6 rules found/);
    const used = [...readFileSync(RULES, 'utf8').matchAll(/^ +expr: (.*)$/gm)].flatMap(
      ([, expression = '']) => metricsOf(expression),
    );
    expect(used.length).toBeGreaterThan(6);
    const { names } = await scrapeOnce();
    for (const name of used) expect(names, name).toContain(name);
  });

  it('are all that the dashboard shows', async () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    expect(panels.length).toBeGreaterThan(10);
    const { names } = await scrapeOnce();
    for (const { title, targets } of panels) {
      const used = targets.flatMap(({ expr }) => metricsOf(expr));
      expect(used, title).not.toEqual([]);
      for (const name of used) expect(names, `${title}: ${name}`).toContain(name);
    }
  });
});
