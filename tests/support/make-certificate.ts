import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './temporary-database.ts';

export type Certificate = ReturnType<typeof makeCertificate>;

/** Signed by itself. @param name as openssl writes a subjectAltName */
export function makeCertificate(name: string, days: number) {
  const folder = makeFolder();
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
  const validity = ['-days', String(days), '-addext', `subjectAltName=${name}`];
  execFileSync('openssl', ['req', ...kind, ...validity, '-keyout', keyFile, '-out', certFile], {
    stdio: 'pipe',
  });
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), keyFile, certFile };
}
