/** One address asks for much at once: others are served as if it were not there. */
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES_PER_CLIENT } from '#src/http/render-page.ts';
import { ERRORS } from '../../src/components/layout/errors-texts.ts';
import { insertManyEntries } from '../support/many-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const GREEDY = '127.0.0.2';
const OTHER = '127.0.0.3';
const ASKED = 300;

describe('one address that asks for 300 pages at once', () => {
  let site: TestSite;

  beforeAll(async () => {
    const db = await makeDatabase();
    insertManyEntries(db, 3_000);
    site = await startTestSite(db.path);
  });

  it('gets some, and for the others a page that keeps what it asked, while another address gets all', async () => {
    const flood = Array.from({ length: ASKED }, (_, number) =>
      site.get(`/scammers?skip=${number}&search=`, { from: GREEDY }),
    );
    for (let number = 0; number < 10; number += 1) {
      const [check, page] = await Promise.all([
        site.get(`/api/check?id=1${String(number + 1).padStart(17, '0')}`, { from: OTHER }),
        site.get(`/scammers?skip=${1_000 + number}`, { from: OTHER }),
      ]);
      expect([check.status, page.status]).toEqual([200, 200]);
      expect(page.text).toContain('class="rows"');
    }
    const answers = await Promise.all(flood);
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(PAGES_PER_CLIENT);
    const place = answers.findIndex(({ status }) => status === 503);
    const { headers, text } = answers[place] as (typeof answers)[number];
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'retry-after': expect.stringMatching(/^[1-9]\d?$/) as string,
    });
    const { notResult, again } = ERRORS;
    expect(text).toContain(ERRORS.overloaded.title(String(headers['retry-after'])));
    expect(text).toContain(notResult);
    expect(text).toContain(`<a href="/scammers?skip=${place}&amp;search=">${again}</a>`);
    expect(text).not.toMatch(/__[A-Z]+__/);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  });
});
