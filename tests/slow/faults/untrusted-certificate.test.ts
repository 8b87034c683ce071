// Needs: openssl
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '#src/outbound/outbound.ts';
import { makeCertificate } from '../../support/make-certificate.ts';
import { requestOf } from '../../support/secret-request.ts';

it('a certificate has to be trusted', async () => {
  const outbound = createOutbound();
  const { key, cert } = makeCertificate('IP:127.0.0.1', 1);
  const server = createServer({ key, cert }, (_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(outbound.send(requestOf(origin))).rejects.toThrow(
    `${origin}: connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  );
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  expect((await outbound.send(requestOf(origin))).toString()).toBe('ok');
});
