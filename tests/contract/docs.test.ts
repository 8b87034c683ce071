/** /docs and /docs/en show the same tables, and every sample, each in its language. */
import { expect, it } from 'vitest';
import { DEMO_IDS } from '../../scripts/sample/demo-records.ts';
import type { ApiDocument } from '#src/http/openapi.ts';
import {
  botSample,
  eventsSample,
  inEnglish,
  LIFT_SAMPLE,
  PREFIX_SAMPLES,
  quickStart,
  typedClientSample,
  VERDICT_SAMPLES,
} from '#src/pages/_code-samples.ts';
import { plain, textOf, unescapeHtml } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const BASE = 'https://czujka.example';

const samplesOf = (page: string): string[] =>
  [...page.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, code = '']) =>
    unescapeHtml(code.replace(/<[^>]+>/g, '')),
  );

const site = await startTestSite((await makeDatabase()).path, { BASE_URL: BASE });
const [polish = '', details = '', english = ''] = await Promise.all(
  ['/docs', '/docs/szczegoly', '/docs/en'].map(async (path) => (await site.get(path)).text),
);
const document = await site.json<ApiDocument>('/openapi.json');
const content = /<main[^>]*>(.*)<\/main>/s.exec(english)?.[1] ?? '';
const samples = [
  ...quickStart(BASE).map(({ code }) => code),
  ...[botSample(BASE), eventsSample(BASE), typedClientSample(BASE), LIFT_SAMPLE],
  ...[...Object.values(PREFIX_SAMPLES), ...Object.values(VERDICT_SAMPLES)],
];

it('says in its head which languages it has, and in which each is', () => {
  for (const page of [polish, english])
    for (const [language, path] of Object.entries({ pl: '/docs', en: '/docs/en' }))
      expect(page).toContain(`<link rel="alternate" href="${BASE}${path}" hreflang="${language}">`);
  expect(english).toMatch(/<html lang="en">.*<body>/s);
  expect(polish).toMatch(/<html lang="pl">.*<body>/s);
});

it('has head and footer in its language, whose links say where they lead into Polish', () => {
  const links = (page: string): string[] => [
    ...new Set(page.replace(/<main.*<\/main>/s, '').match(/<a [^>]*href="\/[^>]*>/g)),
  ];
  const frame = english.replace(/<main.*<\/main>|<head>.*<\/head>/gs, '');
  expect(frame).not.toMatch(/[ąćęłńóśźż]/i);
  for (const link of links(english)) expect(/hreflang="pl"|"\/docs\/en"/.test(link), link).toBe(true);
  for (const link of links(polish)) expect(link).not.toContain('hreflang');
  expect(links(english)).toHaveLength(links(polish).length);
});

it('shows every sample in both languages, and no Polish comment in English', () => {
  for (const sample of samples) {
    expect(samplesOf(polish + details)).toContain(sample);
    expect(samplesOf(english)).toContain(inEnglish(sample));
    for (const [, comment = ''] of sample.matchAll(/(?<=^|\s)(?:\/\/|#) (.*)$/gm))
      if (comment !== 'pip install discord.py') expect(inEnglish(comment)).not.toBe(comment);
    expect(inEnglish(sample)).not.toMatch(/[ąćęłńóśźż]/i);
  }
});

it('has each endpoint, status and code in English, and no Polish word', () => {
  const text = textOf(content);
  for (const [path, { get }] of Object.entries(document.paths)) {
    expect(text).toContain(path);
    expect(text).not.toContain(plain(get.summary));
  }
  for (const code of document.components.schemas['ErrorCode']?.enum ?? []) expect(text).toContain(code);
  expect(text).toContain(DEMO_IDS.hijacked);
  expect(textOf(content.replace(/<pre.*?<\/pre>/gs, '')).match(/\S*[ąćęłńóśźż]\S*/giu)).toBeNull();
});
