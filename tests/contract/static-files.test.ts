/** Built files and prerendered pages: compressed beforehand, and nothing but themselves. */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

describe('static files', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite((await makeDatabase()).path);
  });

  it.each(['/docs', '/pomoc', '/odwolania'])('sends %s in the form that a browser takes', async (path) => {
    const plain = await site.get(path);
    expect(plain.status).toBe(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toMatch(/^text\/html;\s*charset=utf-8$/i);
    const { headers } = await site.get(path, { headers: { 'Accept-Encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const response = await fetch(site.origin + path, { headers: { 'Accept-Encoding': 'br' } });
    expect(await response.text()).toBe(plain.text);
  });

  it.each(['/docs/index.html.br', '/404.html.br', '/favicon.svg.gz', '/500.html', '/429'])(
    'does not serve %s',
    async (path) => {
      const { status, text } = await site.get(path);
      expect(status).toBe(404);
      expect(text).toContain('Nie ma takiej strony');
    },
  );
});
