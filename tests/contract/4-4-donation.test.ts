/** SPEC 4.4: `/api/donate/status` and the pages of donations say the same, and nothing of the payer. */
import { describe, expect, it } from 'vitest';
import { describeDonation } from '#src/components/donation/describe-donation.ts';
import { DONATION, ltc, zl } from '#src/components/donation/donation-texts.ts';
import { valueInGrosze } from '#src/donations/amount.ts';
import type { toDonationJson } from '#src/donations/donation-response.ts';
import { amountInGrosze, missingLitoshi, premiumTier, type Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { recordScan } from '#src/donations/monitoring.ts';
import {
  DEMO_DONATION_NAMES,
  demoDonationId,
  storeDemoDonations,
} from '../../scripts/sample/demo-donations.ts';
import { assertError } from '../support/assert-error.ts';
import { makeDonation, MINUTE_MS, SAMPLE_ADDRESS } from '../support/make-donation.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

type DonationJson = ReturnType<typeof toDonationJson>;

const PAYER = '280864204968068869';
const SOME_ID = `ltc_${'a'.repeat(32)}`;
const SETTINGS = {
  LITECOIN_EXPLORER_URL: 'https://explorer.example/tx',
  APPEALS_CONTACT: 'pomoc@czujka.example',
};

const db = await makeDatabase();
storeDemoDonations(db, Date.now());
const site = await startTestSite(db.path, { ...SETTINGS, LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' });
/** Nothing watches the chain there. */
const unwatched = await startTestSite(db.path, SETTINGS);
/** Nor does it name an address to write to. */
const mute = await startTestSite(db.path);

async function read(from: TestSite, path: string): Promise<string> {
  return textOf((await from.get(path)).text);
}

/** The chain was looked at this long ago. */
function looked(minutes: number, at = db): void {
  at.write((tx) => recordScan(tx, Date.now() - minutes * MINUTE_MS));
}

describe('4.4 /api/donate/status', () => {
  it('answers with the keys of SPEC 2.5 in their order, and nothing of the payer', async () => {
    // White space around the ID is cut.
    const createdAt = Date.parse('2026-11-20T15:35:00.123Z');
    const id = makeDonation(db, { created_at: createdAt, payerChatId: PAYER });
    const { text } = await site.get(`/api/donate/status?id=%20${id}%20`);
    expect(text).not.toContain(PAYER);
    const body = JSON.parse(text) as { donation: object };
    expect(Object.keys(body)).toEqual(['donation']);
    expect(Object.entries(body.donation)).toEqual([
      ['id', id],
      ['address', SAMPLE_ADDRESS],
      ['status', 'pending'],
      ['receivedLtc', 0],
      ['amountPln', 42.1],
      ['confirmations', 0],
      ['requiredConfirmations', 6],
      ['minimumLtc', 0.125],
      ['txId', ''],
      ['forwardTxId', ''],
      ['roleStatus', 'none'],
      ['premiumTier', 'monthly'],
      ['premiumMonthPln', 20],
      ['premiumLifetimePln', 150],
      ['error', expect.stringMatching(/^Czas na wpłatę minął/)],
      ['createdAt', '2026-11-20T15:35:00.123Z'],
      ['expiresAt', '2026-11-20T16:35:00.123Z'],
    ]);
  });

  it.each([
    '',
    '?id=ltc_',
    `?id=ltc_${'a'.repeat(65)}`,
    `?id=ltc_${'A'.repeat(32)}`,
    `?id=${SOME_ID}&id=${SOME_ID}`,
    `?id=${SOME_ID}%00`,
  ])('refuses an invalid ID: "%s"', async (query) => {
    assertError(await site.get(`/api/donate/status${query}`), 400, 'Nieprawidłowe ID płatności');
  });
});

describe('the page of a donation', () => {
  it.each(DEMO_DONATION_NAMES)('says the same as the API: %s', async (name) => {
    const id = demoDonationId(name);
    looked(0);
    // The limit of the API is its own matter.
    site.clock.now += 60_000;
    const { donation: json } = await site.json<{ donation: DonationJson }>(`/api/donate/status?id=${id}`);
    const donation = findDonation(db, id) as Donation;
    const { headers, text: html } = await site.get(`/donate/${id}`);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const text = textOf(html);
    const missingGrosze = valueInGrosze(missingLitoshi(donation), donation.rateGrosze);
    const view = describeDonation(donation, missingGrosze, 'yes', 'mailto:pomoc@czujka.example', Date.now());
    const amount = ltc(donation.receivedLitoshi || donation.minimumLitoshi);
    const isAsked = view.missingLitoshi > 0;
    for (const sentence of [
      ...[view.title, ...view.sentences, view.saysError ? '' : (json.error ?? '')],
      isAsked && donation.receivedLitoshi === 0 ? '' : DONATION.amount(amount, zl(amountInGrosze(donation))),
      isAsked ? DONATION.due.text(zl(missingGrosze)) : '',
    ])
      expect(text).toContain(plain(sentence));
    expect(html).toContain(`data-status="${json.status}"`);
    // A long number is shown by its ends and copied whole.
    expect(text).toContain(`ltc_ ${id.slice(4, 8)} … ${id.slice(-4)}`);
    for (const txId of [json.txId, json.forwardTxId].filter(Boolean)) {
      expect(html).toContain(`<span class="id unseen" aria-hidden="true">${txId}</span>`);
      expect(html).toContain(`href="https://explorer.example/tx/${txId}"`);
    }
    const { roles, kinds, kind, refresh } = DONATION;
    for (const role of ['done', 'waiting'] as const)
      expect(text.includes(plain(roles[role]))).toBe(json.roleStatus === role);
    // A lost donation buys nothing any more.
    const bought = view.isTierOpen ? premiumTier(donation) : null;
    for (const each of ['monthly', 'lifetime'] as const)
      expect(text.includes(`${kind} ${plain(kinds[each])}`)).toBe(bought === each);
    expect(text.includes(refresh)).toBe(!view.isOver);
    const missing = (view.missingLitoshi / 1e8).toString();
    expect(html.includes(`href="litecoin:${json.address}?amount=${missing}"`)).toBe(isAsked);
    expect(html.includes('class="qr"')).toBe(isAsked);
    const list = /<ol class="stepper"[^>]*>(.*?)<\/ol>/s.exec(html)?.[1] ?? '';
    const current = /aria-current="step"[^>]*>\s*<span>([^<]+)/.exec(list)?.[1];
    const { steps, isDone, current: at } = view.course;
    const shown = view.step === 0 ? [0] : [steps.filter((_, place) => isDone(place)).length, steps[at - 1]];
    expect([list.split('data-done').length - 1, current]).toEqual([shown[0], shown[1]]);
    expect(/zapłać do\s*<time datetime="[^"]+Z">[^<]+<\/time>\s*czasu\spolskiego/.test(html)).toBe(isAsked);
  });

  it('says whether it is premium, with what it gives, or a donation, but of one that may still become premium', async () => {
    const own = await makeDatabase();
    const id = makeDonation(own, { created_at: Date.now() });
    const shown = await startTestSite(own.path, { LITECOIN_PREMIUM_BENEFITS: 'Rola | **Znaczek**' });
    const kindAfter = async (change: string): Promise<unknown> => {
      own.statement(`UPDATE donations SET ${change} WHERE id = ?`).run(id);
      const text = await read(shown, `/donate/${id}`);
      return [/ Rodzaj (\p{L}+)/u.exec(text)?.[1], text.includes('Znaczek')];
    };
    expect(await kindAfter('minimum_litoshi = 12500000')).toEqual(['premium', true]);
    expect(await kindAfter('minimum_litoshi = 1000000')).toEqual(['darowizna', false]);
    expect(await kindAfter("status = 'underpaid', received_litoshi = 500000")).toEqual([undefined, false]);
  });

  it('says that nothing watches the chain as soon as a minute has passed without a look', async () => {
    const own = await makeDatabase();
    const id = makeDonation(own, { created_at: Date.now() - 10 * MINUTE_MS, payerChatId: PAYER });
    const { path } = own;
    const watching = await startTestSite(path, { LITECOIN_RPC_URL: 'http://127.0.0.1:1' });
    const isBehind = async (): Promise<boolean> => {
      const { text } = await watching.get(`/donate/${id}`);
      expect(text).not.toContain(PAYER);
      return textOf(text).includes('nie mamy świeżych danych z sieci Litecoin');
    };
    // A worker that never ran.
    expect(await isBehind()).toBe(true);
    looked(40 / 60, own);
    expect(await isBehind()).toBe(false);
    looked(61 / 60, own);
    expect(await isBehind()).toBe(true);
    // An explorer tells of single donations.
    own.statement('UPDATE donations SET asked_at = ?').run(Date.now());
    expect(await isBehind()).toBe(false);
  });

  it('asks for no payment where nothing watches the chain and there is no address to write to', async () => {
    const pending = `/donate/${demoDonationId('pending')}`;
    expect(await read(unwatched, pending)).toContain(plain(DONATION.paused));
    const failedRole = await read(unwatched, `/donate/${demoDonationId('forwarding')}`);
    expect(failedRole).toContain(`${plain(DONATION.contact)} pomoc@czujka.example.`);
    expect((await mute.get(pending)).text).not.toMatch(/href="litecoin:|class="qr"|Pytania?/);
  });

  it.each([
    ['/donate/ltc_', 400, DONATION.invalid.title],
    [`/donate/ltc_${'0'.repeat(32)}`, 404, DONATION.missing.title],
  ])('answers %s with %d', async (path, status, title) => {
    const answer = await site.get(path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`<h1>${title}</h1>`);
  });
});

describe('the page about donations', () => {
  const { page } = DONATION;

  it('leaves out what the settings do not say', async () => {
    const bare = await read(site, '/donate');
    for (const part of [page.kinds, page.pricesNote, 'class="button"'])
      expect(bare).not.toContain(plain(part));
    expect(bare).toContain(plain(page.how));
    const told = await startTestSite(db.path, {
      LITECOIN_PURPOSE: 'Na **serwer**.',
      LITECOIN_HOW_TO_START: '[Tutaj](https://czat.example/start) wpisz komendę <b>.',
      LITECOIN_PRICE_PLN: '320.00',
      LITECOIN_PREMIUM_MONTH_PLN: '20',
      LITECOIN_PREMIUM_LIFETIME_PLN: '149.90',
      LITECOIN_PREMIUM_BENEFITS: 'Rola | **Znaczek**',
      LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1',
    });
    const { text: html } = await told.get('/donate');
    for (const part of [page.kinds, page.pricesNote]) expect(textOf(html)).toContain(plain(part));
    for (const part of [
      'Na <strong>serwer</strong>.',
      'wpisz komendę &lt;b&gt;.',
      'class="button" href="https://czat.example/start"',
    ])
      expect(html).toContain(part);
    const plans = html.match(/<li> <h2>.*?<\/li>/gs) ?? [];
    expect(plans.map((plan) => textOf(plan).replace(/\s+/g, ' ').trim())).toEqual([
      'Premium na miesiąc 20 zł za miesiąc około 0,063 LTC dziś Nie odnawia się samo. Na miesiąc: zacznij na czacie',
      'Premium na zawsze 149,90 zł raz około 0,468 LTC dziś Bez daty końca, dopóki działa Czujka. Na zawsze: zacznij na czacie',
    ]);
    expect(textOf(html).match(/Znaczek/g)).toHaveLength(1);
  });

  it('says that donations are paused where nothing watches the chain, and invites nobody', async () => {
    const invitations = [page.lead, page.how, page.privacy].map(plain);
    const watched = await read(site, '/donate');
    expect(watched).not.toContain(plain(page.paused));
    for (const invitation of invitations) expect(watched).toContain(invitation);
    const paused = await read(unwatched, '/donate');
    expect(paused).toContain(plain(page.paused));
    for (const invitation of invitations) expect(paused).not.toContain(invitation);
  });
});
