// Needs: promtool
/** Prometheus scrapes the metrics, and alert rules and dashboard name existing ones. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { runProcess } from '../../support/run-process.ts';
import { ask } from '../../support/test-site.ts';

const SCRIPTS = join(import.meta.dirname, '../../../scripts');
const RULES = join(SCRIPTS, 'deploy/prometheus-alerts.yml');
const DASHBOARD = join(SCRIPTS, 'deploy/grafana-dashboard.json');
const ID = '1572250755006587457';

const operator = makeCommandLine();
let scraped = '';
let otherStatus = 0;

beforeAll(async () => {
  await operator.fill('scammers', makeRecord({ id: ID, name: 'a very special nick' }));
  const service = runProcess(join(SCRIPTS, 'start.mjs'), {
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
  await vi.waitUntil(async () => {
    // A change that the worker follows meanwhile drops what is kept: sooner or later there is a hit.
    await ask(Number(port), '/api/scammers');
    scraped = (await ask(Number(metricsPort), '/metrics')).text;
    return (
      /czujka_cache_looks_total\{found="hit",process="web"\} [1-9]/.test(scraped) &&
      scraped.includes('czujka_follower_behind_changes{follower="list-indexes",process="worker"} 0') &&
      /backup_age_seconds{[^}]*} \d/.test(scraped)
    );
  });
  otherStatus = (await ask(Number(metricsPort), '/')).status;
  return () => void service.child.kill('SIGKILL');
});

/** Metrics that an expression names exist: its other words are functions, labels and their values. */
function expectKnown(title: string, ...expressions: readonly string[]): void {
  const known = new Set([...scraped.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{| )/gm)].map(([, name]) => name));
  for (const expression of expressions) {
    const bare = expression.replace(/\{[^}]*\}|"[^"]*"|by \([^)]*\)|histogram_quantile/g, '');
    const names = bare.match(/\b[a-z][a-z0-9_]*_[a-z0-9_]+\b/g) ?? [];
    expect(names.length, title).toBeGreaterThan(0);
    for (const name of names) expect(known, `${title}: ${name}`).toContain(name);
  }
}

it.each([
  'czujka_process_up{process="web"} 1',
  'czujka_process_up{process="worker"} 1',
  'czujka_worker_acting{process="worker"} 1',
  'czujka_requests_total{route="/api/check",status="200",process="web"} 2',
  'czujka_requests_total{route="/scammers",status="200",process="web"} 1',
  'czujka_requests_total{route="/api/chat/avatar/{chatId}",status="200",process="web"} 1',
  'czujka_requests_total{route="page",status="404",process="web"} ',
  'czujka_requests_total{route="file",status="200",process="web"} 1',
  'czujka_job_last_success_timestamp_seconds{job="backup",process="worker"} 1',
  'nodejs_eventloop_lag_p99_seconds{process="web"}',
  'nodejs_eventloop_lag_p99_seconds{process="worker"}',
  'czujka_connections_refused_total{process="web"} 0',
])('metrics have %s', (line) => expect(scraped).toContain(line));

it('metrics have no addresses, names and IDs, and nothing else is served', () => {
  for (const secret of [ID, 'special', '127.0.0', operator.folder]) expect(scraped).not.toContain(secret);
  expect(otherStatus).toBe(404);
});

it('alert rules name existing metrics, and promtool accepts them', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/SUCCESS: 7 rules found/);
  const rules = [...readFileSync(RULES, 'utf8').matchAll(/^ +expr: (.*)$/gm)];
  expect(rules.length).toBeGreaterThan(5);
  expectKnown('alert', ...rules.map(([, expression = '']) => expression));
});

it('the dashboard shows existing metrics', () => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, targets } of panels) expectKnown(title, ...targets.map(({ expr }) => expr));
});
