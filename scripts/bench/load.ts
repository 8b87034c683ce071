/** Drives a server with a list of requests and measures: wrk where it is installed, autocannon otherwise. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

export interface Load {
  readonly origin: string;
  /** Paths with query, asked in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not 200, and connections that broke. */
  readonly failures: number;
}

export type LoadGenerator = 'wrk' | 'autocannon';

/** Distinct clients that the requests seem to come from, so that no rate limit stands in the way. */
const CLIENTS = 40_000;

export function findLoadGenerator(): LoadGenerator {
  return spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';
}

export function measure(generator: LoadGenerator, load: Load): Promise<Measured> {
  return generator === 'wrk' ? measureByWrk(load) : measureByAutocannon(load);
}

/** The server under test trusts loopback, so that this is who asks. */
function clientAddress(index: number): string {
  const client = index % CLIENTS;
  return `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`;
}

/** The requests are made as strings beforehand: a generator that builds them would be what is measured. */
const WRK_SCRIPT = `
local requests = {}
local count = 0
init = function(args)
  for line in io.lines(args[1]) do
    local client, path = line:match("^(%S+) (.+)$")
    count = count + 1
    requests[count] = wrk.format("GET", path, { ["Host"] = "bench", ["X-Forwarded-For"] = client })
  end
end
local at = 0
request = function()
  at = at % count + 1
  return requests[at]
end
`;

async function measureByWrk({ origin, paths, connections, seconds }: Load): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-bench-'));
  try {
    const script = join(folder, 'requests.lua');
    const list = join(folder, 'requests.txt');
    writeFileSync(script, WRK_SCRIPT);
    // A round must not be a multiple of the clients, or each client would always ask for the same.
    const lines = Array.from({ length: Math.max(paths.length, CLIENTS + 1) }, (_, index) => {
      return `${clientAddress(index)} ${paths[index % paths.length]}`;
    });
    writeFileSync(list, `${lines.join('\n')}\n`);
    const options = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      '-s',
      script,
      origin,
      '--',
      list,
    ];
    return parseWrk(await runWrk(options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runWrk(options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const wrk = spawn('wrk', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    wrk.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    wrk.on('error', reject);
    wrk.on('close', (code) => {
      const output = Buffer.concat(chunks).toString();
      if (code === 0) resolve(output);
      else reject(new Error(`wrk ended with ${code}: ${output}`));
    });
  });
}

function parseWrk(output: string): Measured {
  const number = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);
  const percentile = (name: string): number => {
    const [, value, unit] = new RegExp(`${name}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
    return Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit ?? ''] ?? Number.NaN);
  };
  const socketErrors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/
    .exec(output)
    ?.slice(1);
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: percentile('50'),
    p99Ms: percentile('99'),
    failures:
      number(/Non-2xx or 3xx responses: (\d+)/) +
      (socketErrors ?? []).reduce((sum, count) => sum + Number(count), 0),
  };
}

async function measureByAutocannon({ origin, paths, connections, seconds }: Load): Promise<Measured> {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: paths.map((path, index) => ({ path, headers: { 'x-forwarded-for': clientAddress(index) } })),
  });
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
