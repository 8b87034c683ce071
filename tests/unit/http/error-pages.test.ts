import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ADDRESS_PLACEHOLDER,
  INCIDENT_PLACEHOLDER,
  isErrorPage,
  readErrorPages,
  SECONDS_PLACEHOLDER,
} from '#src/http/error-pages.ts';

describe('readErrorPages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-pages-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '429'));
  mkdirSync(join(folder, '503'));
  writeFileSync(join(folder, '404.html'), '<p>nie ma</p>');
  writeFileSync(join(folder, '429/index.html'), `<p>${SECONDS_PLACEHOLDER} s, ${SECONDS_PLACEHOLDER}</p>`);
  writeFileSync(
    join(folder, '503/index.html'),
    `<p>${SECONDS_PLACEHOLDER} s</p><a href="${ADDRESS_PLACEHOLDER}">znowu</a>`,
  );
  writeFileSync(join(folder, '500.html'), `<p>numer ${INCIDENT_PLACEHOLDER}</p>`);

  it('puts the seconds and the number of the incident wherever the pages want them', () => {
    const pages = readErrorPages(folder);
    expect(pages.notFound()).toBe('<p>nie ma</p>');
    expect(pages.rateLimited(17)).toBe('<p>17 s, 17</p>');
    expect(pages.internal('c0ffee00')).toBe('<p>numer c0ffee00</p>');
  });

  it.each([
    ['/?search=a&limit=3', '/?search=a&#38;limit=3'],
    [`/"><script>'`, '/&#34;&#62;&#60;script&#62;&#39;'],
    [
      `/$&${SECONDS_PLACEHOLDER}${ADDRESS_PLACEHOLDER}`,
      `/$&#38;${SECONDS_PLACEHOLDER}${ADDRESS_PLACEHOLDER}`,
    ],
  ])('keeps the address %s as a link and as nothing else', (address, written) => {
    expect(readErrorPages(folder).overloaded(2, address)).toBe(`<p>2 s</p><a href="${written}">znowu</a>`);
  });

  it('needs the pages at the start, not when an error comes', () => {
    const pages = readErrorPages(folder);
    rmSync(join(folder, '500.html'));
    expect(pages.internal('c0ffee00')).toBe('<p>numer c0ffee00</p>');
    expect(() => readErrorPages(folder)).toThrow('500.html');
  });
});

describe('isErrorPage', () => {
  it.each([
    '/404',
    '/404.html',
    '/429',
    '/429.html',
    '/429/index',
    '/429/index.html',
    '/500',
    '/503',
    '/503/index.html',
    '/500.html',
    '/500.htm',
  ])('knows %s', (path) => {
    expect(isErrorPage(path)).toBe(true);
  });

  it.each(['/', '/403', '/4040', '/404/x', '/x/404', '/404.css', '/scammers', '/index.html'])(
    'lets %s pass',
    (path) => {
      expect(isErrorPage(path)).toBe(false);
    },
  );
});
