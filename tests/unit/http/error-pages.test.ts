import { expect, it } from 'vitest';
import {
  ADDRESS_PLACEHOLDER,
  ASKED_PLACEHOLDER,
  REQUEST_ID_PLACEHOLDER,
  makeErrorPages,
  SECONDS_PLACEHOLDER,
} from '#src/http/render-page.ts';

const RENDERED: Readonly<Record<string, string>> = {
  '/404': '<p>nie ma</p>',
  '/429': `<p>${SECONDS_PLACEHOLDER} s, ${SECONDS_PLACEHOLDER}</p>`,
  '/503': `<p>${SECONDS_PLACEHOLDER} s</p><a href="${ADDRESS_PLACEHOLDER}">znowu</a>`,
  '/500': `<p>numer ${REQUEST_ID_PLACEHOLDER}</p><input value="${ASKED_PLACEHOLDER}">`,
};

const PLACEHOLDERS = `${SECONDS_PLACEHOLDER}${ADDRESS_PLACEHOLDER}`;

const make = () => makeErrorPages((path) => Promise.resolve(RENDERED[path]));

it('replaces each placeholder by the seconds or the number of the request', async () => {
  const fill = await make();
  expect(fill('not_found')).toBe('<p>nie ma</p>');
  expect(fill('rate_limited', { seconds: 17 })).toBe('<p>17 s, 17</p>');
  const failed = fill('internal', { requestId: 'c0ffee00', url: '/status' });
  expect(failed).toBe('<p>numer c0ffee00</p><input value="">');
});

it('escapes the address in the link, and replaces nothing in it', async () => {
  const page = (await make())('overloaded', { seconds: 2, url: `/"><script>'$&${PLACEHOLDERS}` });
  const written = `/&quot;&gt;&lt;script&gt;&#39;$&amp;${PLACEHOLDERS}`;
  expect(page).toBe(`<p>2 s</p><a href="${written}">znowu</a>`);
});

it('keeps what was asked in the field of a failed page', async () => {
  const url = `/?search=%22%3E${SECONDS_PLACEHOLDER}+b&sort=az`;
  const page = (await make())('internal', { requestId: 'c0ffee00', url });
  expect(page).toContain(`<input value="&quot;&gt;${SECONDS_PLACEHOLDER} b">`);
});

it.each(Object.keys(RENDERED))('fails at the start without %s', async (missing) => {
  const render = (path: string) => Promise.resolve(path === missing ? undefined : RENDERED[path]);
  await expect(makeErrorPages(render)).rejects.toThrow(missing);
});
