/** The service through BASE_URL, only with --public: a machine cannot always reach its own public address. */
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../http/rate-limit.ts';
import { fine, messageOf, notice, wrong, type Found } from './finding.ts';
import { DAY_MS } from '../../text/calendar.ts';

const WAIT_MS = 10_000;
const BODY_MAX_CHARACTERS = 1_000;
const CERTIFICATE_DAYS_MIN = 14;
/** An address of the documentation (RFC 5737), which no client has. */
const FORGED = '192.0.2.77';
/** The doctor's own address on loopback: the service sees it only when the proxy passes it on. */
const OWN_LOOPBACK = '127.0.0.9';
const SHIPPED = 'scripts/deploy has configurations of Caddy and nginx that do this';

interface Health {
  readonly status: number;
  /** The client address that the service saw; undefined when something else answered. */
  readonly address: string | undefined;
  /** The end of the certificate, epoch milliseconds. */
  readonly certifiedUntil: number;
}

export async function checkPublic({ baseUrl, host, port }: Config): Promise<Found[]> {
  let health: Health;
  try {
    health = await askHealth(baseUrl);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code)) {
      const says = `${baseUrl} has no certificate that is believed: ${messageOf(error)}`;
      return [wrong(says, 'renew it, or let Caddy get one')];
    }
    const todo =
      `does the service run (it should listen on ${host}:${port}), and the proxy before it? ` +
      'Where only this machine cannot reach it, look from elsewhere';
    return [wrong(`${baseUrl} does not answer: ${messageOf(error)}`, todo)];
  }
  const { status, address, certifiedUntil } = health;
  if (address === undefined) {
    const says = `${baseUrl}/healthz answers ${status}, and not as this service does`;
    return [wrong(says, 'does the proxy hand all paths to the service, and does the service run?')];
  }
  const ofClients = { about: 'client address', ...(await checkAddress(baseUrl, address)) };
  return [checkCertificate(baseUrl, certifiedUntil), ofClients];
}

function checkCertificate(baseUrl: string, certifiedUntil: number): Found {
  const { hostname, protocol } = new URL(baseUrl);
  if (protocol === 'http:')
    return isOwn(hostname)
      ? notice(`${baseUrl} answers; visitors cannot reach it`)
      : wrong(`${baseUrl} is not encrypted`, 'let a proxy speak TLS, and set BASE_URL to https');
  const days = Math.floor((certifiedUntil - Date.now()) / DAY_MS);
  return days < CERTIFICATE_DAYS_MIN
    ? wrong(`the certificate of ${baseUrl} ends in ${days} days`, 'see why it is not renewed')
    : fine(`${baseUrl} answers; its certificate holds for ${days} days`);
}

/** @param arrived the address that the service saw as the doctor's */
async function checkAddress(baseUrl: string, arrived: string): Promise<Found> {
  const { address: forged } = await askHealth(baseUrl, { 'X-Forwarded-For': FORGED });
  if (forged === FORGED)
    return wrong(
      'visitors can write their own: the proxy passes on the X-Forwarded-For that it gets, so that no limit holds',
      `let the proxy set it to the address that connects; ${SHIPPED}`,
    );
  const isProxys = isOwn(new URL(baseUrl).hostname) ? arrived !== OWN_LOOPBACK : isLoopback(arrived);
  if (isProxys)
    return wrong(
      `of all visitors arrives as ${arrived}, which is the proxy's own: they share one limit`,
      `set TRUST_PROXY=loopback (or to the proxy's address), and let the proxy set X-Forwarded-For; ${SHIPPED}`,
    );
  return fine('arrives as it is, and cannot be forged');
}

function isOwn(hostname: string): boolean {
  return hostname === 'localhost' || (ipaddr.IPv4.isValid(hostname) && hostname.startsWith('127.'));
}

/** fetch neither sends from a chosen address nor shows the certificate. */
function askHealth(baseUrl: string, headers: Readonly<Record<string, string>> = {}): Promise<Health> {
  const url = new URL(`${baseUrl}/healthz`);
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      headers,
      agent: false,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(isOwn(url.hostname) && { localAddress: OWN_LOOPBACK, family: 4 }),
    });
    sent.once('error', reject).once('response', (response) => {
      const ends = (response.socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to ?? '';
      const [status, certifiedUntil] = [response.statusCode ?? 0, Date.parse(ends)];
      readAddress(response).then((address) => resolve({ status, address, certifiedUntil }), reject);
    });
    sent.end();
  });
}

async function readAddress(response: IncomingMessage): Promise<string | undefined> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += part;
    if (text.length > BODY_MAX_CHARACTERS) return undefined;
  }
  try {
    const { address } = JSON.parse(text) as { address?: unknown };
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}
