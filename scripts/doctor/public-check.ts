/**
 * The service as visitors reach it: through BASE_URL, with whatever proxy and cache stand before it. A machine cannot
 * always reach its own public address; then this says so.
 */
import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { Config } from '#src/config.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { isLoopback } from '#src/http/client-address.ts';
import { fine, messageOf, notice, unknown, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const ABOUT = 'public address';
const WAIT_MS = 10_000;
const BODY_MAX_CHARACTERS = 100_000;
const CERTIFICATE_DAYS_MIN = 14;
const DAY_MS = 86_400_000;
/** Of the documentation (RFC 5737): nobody asks from there. */
const FORGED = '192.0.2.77';
/** On this machine, an address of its own: what arrives tells whether a proxy has put it in. */
const OWN_LOOPBACK = '127.0.0.9';
const SHIPPED = 'scripts/deploy has configurations of Caddy, nginx and Varnish that do this';

interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** When the certificate ends, epoch milliseconds. */
  readonly certifiedUntil: number | undefined;
}

export async function checkPublic(config: Config): Promise<Finding[]> {
  const { baseUrl } = config;
  let alive: Heard;
  try {
    alive = await ask(`${baseUrl}/healthz`);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code))
      return [
        wrong(
          ABOUT,
          `${baseUrl} has no certificate that is believed: ${messageOf(error)}`,
          'renew it, or let Caddy get one',
        ),
      ];
    return [
      wrong(
        ABOUT,
        `${baseUrl} does not answer: ${messageOf(error)}`,
        `does the service run (it should listen on ${config.host}:${config.port}), and the proxy before it? ` +
          'Where only this machine cannot reach it, look from elsewhere',
      ),
    ];
  }
  const address = readAddress(alive);
  if (address === undefined)
    return [
      wrong(
        ABOUT,
        `${baseUrl}/healthz answers ${alive.status}, and not as this service does`,
        'does the proxy hand all paths to the service, and does the service run?',
      ),
    ];
  return [
    checkCertificate(baseUrl, alive),
    await checkAddress(baseUrl, address),
    ...(await checkCaching(baseUrl).catch((error: unknown) => [unknown('caching', error)])),
  ];
}

function checkCertificate(baseUrl: string, { certifiedUntil }: Heard): Finding {
  const { hostname, protocol } = new URL(baseUrl);
  if (protocol === 'http:')
    return isOwn(hostname)
      ? notice(ABOUT, `${baseUrl} answers; visitors cannot reach it`)
      : wrong(ABOUT, `${baseUrl} is not encrypted`, 'let a proxy speak TLS, and set BASE_URL to https');
  const days = Math.floor(((certifiedUntil ?? 0) - Date.now()) / DAY_MS);
  return days < CERTIFICATE_DAYS_MIN
    ? wrong(ABOUT, `the certificate of ${baseUrl} ends in ${days} days`, 'see why it is not renewed')
    : fine(ABOUT, `${baseUrl} answers; its certificate holds for ${days} days`);
}

/** @param arrived what the service took for the address of the doctor */
async function checkAddress(baseUrl: string, arrived: string): Promise<Finding> {
  const about = 'client address';
  const forged = readAddress(await ask(`${baseUrl}/healthz`, { 'X-Forwarded-For': FORGED }));
  if (forged === FORGED)
    return wrong(
      about,
      'visitors can write their own: the proxy passes on the X-Forwarded-For that it gets, so that no limit holds',
      `let the proxy set it to the address that connects; ${SHIPPED}`,
    );
  const { hostname } = new URL(baseUrl);
  const isProxys = isOwn(hostname) ? arrived !== OWN_LOOPBACK : isLoopback(arrived);
  if (isProxys)
    return wrong(
      about,
      `of all visitors arrives as ${arrived}, which is the proxy's own: they share one limit`,
      `set TRUST_PROXY=loopback (or to the proxy's address), and let the proxy set X-Forwarded-For; ${SHIPPED}`,
    );
  return fine(about, 'arrives as it is, and cannot be forged');
}

async function checkCaching(baseUrl: string): Promise<Finding[]> {
  const about = 'caching';
  const url = `${baseUrl}/api/scammers?limit=1`;
  const first = await ask(url);
  const second = await ask(url);
  const remaining = [first, second].map(({ headers }) => headers['ratelimit-remaining']);
  const replays = remaining[0] !== undefined && remaining[0] === remaining[1];
  const cache = first.headers['cache-control'];
  const missing = await ask(`${baseUrl}/api/nothing-is-here`);
  const found = [
    ...(replays
      ? [
          wrong(
            about,
            "a cache sends one client's RateLimit numbers to others",
            `let it take them out of what it keeps; ${SHIPPED}`,
          ),
        ]
      : []),
    ...(cache === LISTS_CACHE
      ? []
      : [
          wrong(
            about,
            `lists arrive with Cache-Control ${cache ?? '(none)'} in place of ${LISTS_CACHE}`,
            'let the proxy pass on what the service says',
          ),
        ]),
    ...(missing.status === 404 && missing.headers['content-type']?.startsWith('application/json')
      ? []
      : [
          wrong(
            about,
            'an error under /api arrives as something else than JSON',
            'let the proxy pass on the errors of the service',
          ),
        ]),
  ];
  return found.length > 0 ? found : [fine(about, 'what caches are told arrives, and no limit is replayed')];
}

function readAddress({ text }: Heard): string | undefined {
  try {
    const { address } = JSON.parse(text) as { address?: unknown };
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}

function isOwn(hostname: string): boolean {
  return hostname === 'localhost' || (ipaddr.IPv4.isValid(hostname) && hostname.startsWith('127.'));
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Heard> {
  const { hostname, protocol } = new URL(url);
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers,
      agent: false,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(isOwn(hostname) && { localAddress: OWN_LOOPBACK, family: 4 }),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const certificate = 'getPeerCertificate' in response.socket && (response.socket as TLSSocket);
      const ends = certificate ? certificate.getPeerCertificate().valid_to : undefined;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < BODY_MAX_CHARACTERS) text += part;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          certifiedUntil: ends === undefined ? undefined : Date.parse(ends),
        }),
      );
    });
    sent.end();
  });
}
