/** The page of a donation: the same facts as the API in every state (SPEC 4.4), and nothing of the payer. */
import { get } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import {
  DEMO_DONATION_NAMES,
  demoDonationId,
  storeDemoDonations,
} from '../../scripts/sample/demo-donations.ts';
import { recordLook } from '#src/donations/watched.ts';
import { makeDonation, MINUTE_MS, SAMPLE_ADDRESS } from '../support/make-donation.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

interface Facts {
  id: string;
  address: string;
  status: string;
  receivedLtc: number;
  amountPln: number;
  confirmations: number;
  requiredConfirmations: number;
  minimumLtc: number;
  txId: string;
  forwardTxId: string;
  roleStatus: string;
  premiumTier: 'monthly' | 'lifetime' | null;
  error: string | null;
  expiresAt: string;
}

const PAYER = '280864204968068869';
const polish = new Intl.NumberFormat('pl', { maximumFractionDigits: 8 });
const zlotys = new Intl.NumberFormat('pl', { minimumFractionDigits: 2 });
const TITLES: Readonly<Record<string, RegExp>> = {
  pending: /^(?:Czekamy na wpłatę|Czas na wpłatę minął)$/,
  seen: /^Widzimy wpłatę w sieci$/,
  confirming: /^Potwierdzanie: \d z 6$/,
  underpaid: /^Brakuje 0,025 LTC$/,
  confirmed: /^Wpłata potwierdzona$/,
  forwarding: /^Wpłata potwierdzona$/,
  forwarded: /^Gotowe, dziękujemy$/,
  expired: /^Czas na wpłatę minął$/,
  failed: /^(?:Wpłaty nie udało się przetworzyć|Wpłata anulowana)$/,
};

let db: Database;
let site: TestSite;
/** Of the same database; its settings name nothing that could look at the chain. */
let unwatched: TestSite;
const SETTINGS = {
  LITECOIN_EXPLORER_URL: 'https://explorer.example/tx',
  APPEALS_CONTACT: 'pomoc@czujka.example',
};

beforeAll(async () => {
  db = await makeDatabase();
  storeDemoDonations(db, Date.now());
  site = await startTestSite(db.path, { ...SETTINGS, LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' });
  unwatched = await startTestSite(db.path, SETTINGS);
});

/** Somebody has looked at the chain so long ago. */
function looked(minutes: number): void {
  db.write(() => recordLook(db, Date.now() - minutes * MINUTE_MS));
}
const WATCHES = {
  'while somebody looks at the chain': () => {
    looked(0);
    return site;
  },
  'while nobody has for long': () => {
    looked(30);
    return site;
  },
  'where nobody can': () => unwatched,
} as const;

/** What a reader sees, in one line. */
function textOf(html: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  return main
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ');
}

function headingOf(html: string): string {
  return textOf(`<main>${/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''}</main>`).trim();
}

describe.each(Object.entries(WATCHES))('the page of a donation %s', (_name, prepare) => {
  it.each(DEMO_DONATION_NAMES)('says the same as the API: %s', async (name) => {
    const id = demoDonationId(name);
    const site = prepare();
    // The limit of the API is its own matter.
    site.clock.now += 60_000;
    const { donation } = await site.json<{ donation: Facts }>(`/api/donate/status?id=${id}`);
    const { status, headers, text: html } = await site.get(`/donate/${id}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const text = textOf(html);
    expect(headingOf(html)).toMatch(TITLES[donation.status] ?? /^$/);
    expect(html).toContain(`data-status="${donation.status}"`);
    // As it is copied: in groups to look at, and one number all the same.
    const number = /<dd[^>]* data-copied>(?:(?!<\/dd>).)*Kopiuj nr wpłaty/s.exec(html)?.[0] ?? '';
    expect(number.replaceAll(/<button.*|<[^>]+>/gs, '').trim()).toBe(donation.id);
    expect(text).toContain(`${zlotys.format(donation.amountPln)} zł`);
    if (donation.error !== null) expect(text).toContain(donation.error);
    if (donation.receivedLtc > 0) expect(text).toContain(`${polish.format(donation.receivedLtc)} LTC`);
    for (const txId of [donation.txId, donation.forwardTxId]) {
      if (txId !== '') expect(html).toContain(`href="https://explorer.example/tx/${txId}"`);
    }
    expect(text.includes('Rola nadana.')).toBe(donation.roleStatus === 'done');
    expect(text.includes('Rola pojawi się')).toBe(donation.roleStatus === 'waiting');
    expect(text.includes('Nie udało się nadać roli.')).toBe(donation.roleStatus === 'failed');
    const isOpen = Date.now() < Date.parse(donation.expiresAt);
    const isWaiting = ['pending', 'underpaid'].includes(donation.status);
    // What the amount would buy is no promise once nothing can come of it any more.
    const isLost = ['expired', 'failed'].includes(donation.status) || (isWaiting && !isOpen);
    expect(text.includes('Premium miesiąc')).toBe(donation.premiumTier === 'monthly' && !isLost);
    expect(text.includes('Premium na zawsze')).toBe(donation.premiumTier === 'lifetime' && !isLost);
    const isOver = ['forwarded', 'failed'].includes(donation.status);
    expect(html.includes('>Odśwież<')).toBe(!isOver);
    const isAsked = isWaiting && isOpen;
    const missing = Number((donation.minimumLtc - donation.receivedLtc).toFixed(8));
    expect(html.includes(`href="litecoin:${donation.address}?amount=${missing}"`)).toBe(isAsked);
    expect(html.includes('class="qr"')).toBe(isAsked);
    expect(html.includes('<progress')).toBe(donation.status === 'confirming');
  });
});

describe('the page of a donation', () => {
  /** What needs somebody to look at the chain. */
  const PROMISES = /i tak zauważymy|pojawi się tu sama|Zostało około|zwykle kilka minut/;

  it.each(DEMO_DONATION_NAMES)('promises nothing that nobody keeps: %s', async (name) => {
    const read = async (prepare: () => TestSite): Promise<string> =>
      textOf((await prepare().get(`/donate/${demoDonationId(name)}`)).text);
    const isOver = /^(?:forwarded|failed|cancelled)$/.test(name);
    const watched = await read(WATCHES['while somebody looks at the chain']);
    expect(watched).not.toMatch(/nie mamy świeżych danych|Nikt nie śledzi/);
    expect(PROMISES.test(watched)).toBe(
      /^(?:pending|ending|vanished|seen|reorganised|confirming|overpaid|late|expired)$/.test(name),
    );
    const behind = await read(WATCHES['while nobody has for long']);
    expect(behind).not.toMatch(PROMISES);
    expect(/Od [^.]*\d\d:\d\d[^.]* nie mamy świeżych danych z sieci Litecoin\./.test(behind)).toBe(
      !isOver && name !== 'expired' && name !== 'unchecked',
    );
    const never = await read(WATCHES['where nobody can']);
    expect(never).not.toMatch(PROMISES);
    expect(/Nikt nie śledzi teraz sieci Litecoin|nikt jeszcze nie sprawdził sieci/.test(never)).toBe(!isOver);
  });

  it('says that nobody looks at the chain as soon as a minute has passed without a look', async () => {
    const own = await makeDatabase();
    const id = makeDonation(own, { createdAt: Date.now() - 10 * MINUTE_MS });
    const ownSite = await startTestSite(own.path, { LITECOIN_RPC_URL: 'http://127.0.0.1:1' });
    const read = async (): Promise<string> => textOf((await ownSite.get(`/donate/${id}`)).text);
    // A worker that never ran.
    expect(await read()).toContain('nie mamy świeżych danych z sieci Litecoin');
    own.write(() => recordLook(own, Date.now() - 40_000));
    expect(await read()).toContain('wpłatę i tak zauważymy');
    own.write(() => recordLook(own, Date.now() - 61_000));
    expect(await read()).toContain('nie mamy świeżych danych z sieci Litecoin');
    // An explorer tells of single donations.
    own.statement('UPDATE donations SET asked_at = ?').run(Date.now());
    expect(await read()).toContain('wpłatę i tak zauważymy');
  });

  it('has every state among its samples', () => {
    const stored = db.statement<{ status: string }>('SELECT DISTINCT status FROM donations').all();
    expect(stored.map(({ status }) => status).toSorted()).toEqual(Object.keys(TITLES).toSorted());
  });

  it('tells nothing of the payer', async () => {
    const own = await makeDatabase();
    const id = makeDonation(own, { payerChatId: PAYER });
    const { text } = await (await startTestSite(own.path, SETTINGS)).get(`/donate/${id}`);
    expect(text).toContain(SAMPLE_ADDRESS.slice(0, 4));
    expect(text).not.toContain(PAYER);
  });

  it.each([
    ['/donate/ltc_', 400, 'Nieprawidłowe ID płatności'],
    [`/donate/ltc_${'A'.repeat(32)}`, 400, 'Nieprawidłowe ID płatności'],
    [`/donate/ltc_${'0'.repeat(32)}`, 404, 'Nie znaleziono'],
  ])('answers %s with %d', async (path, status, title) => {
    const answer = await site.get(path);
    expect(answer.status).toBe(status);
    expect(headingOf(answer.text)).toBe(title);
  });

  it('tells nobody to write where there is no address, and then asks for no money that nobody would see', async () => {
    const mute = await startTestSite(db.path);
    for (const name of DEMO_DONATION_NAMES) {
      const path = `/donate/${demoDonationId(name)}`;
      const named = textOf((await unwatched.get(path)).text);
      expect(named).toContain('Adres, na który można napisać: pomoc@czujka.example .');
      const { text: html } = await mute.get(path);
      const text = textOf(html);
      expect(text, name).not.toMatch(/[Nn]apisz do nas|Adres, na który|litecoin:/);
      expect(html, name).not.toMatch(/href="litecoin:|class="qr"|Wyślij <|Dopłać/);
      // Whom to write to is missed only where somebody is told to write.
      expect(/[Nn]ie podano (?:jeszcze|też) adresu/.test(text), name).toBe(/[Nn]apisz do nas/.test(named));
    }
  });

  it('leaves out what the settings do not say of donations', async () => {
    const HEADINGS = /<h2[^>]*>(?:Na co idą wpłaty|Ceny premium|Jak zacząć)<\/h2>/g;
    const { text: bare } = await site.get('/donate');
    expect(bare).not.toMatch(HEADINGS);
    expect(bare).not.toContain('brakuje');
    expect(textOf(bare)).toContain('Co dzieje się potem');
    const settings = {
      LITECOIN_PURPOSE: 'Na **serwer**.',
      LITECOIN_HOW_TO_START: 'Wpisz komendę <b>.',
      LITECOIN_PREMIUM_MONTH_PLN: '20',
      LITECOIN_PREMIUM_LIFETIME_PLN: '149.90',
    };
    const { text: html } = await (await startTestSite(db.path, settings)).get('/donate');
    expect(html.match(HEADINGS)).toHaveLength(3);
    expect(html).toContain('Na <strong>serwer</strong>.');
    expect(html).toContain('Wpisz komendę &lt;b&gt;.');
    expect(textOf(html)).toMatch(/Miesiąc 20,00 zł Na zawsze 149,90 zł/);
  });

  it('warns those who want to start a donation where nobody looks at the chain', async () => {
    expect(textOf((await site.get('/donate')).text)).not.toContain('Nikt nie śledzi');
    const text = textOf((await unwatched.get('/donate')).text);
    expect(text).toContain('Nikt nie śledzi teraz sieci Litecoin, więc wpłaty nie zauważymy sami.');
    expect(text).not.toContain('Strona sama pokaże');
    const mute = textOf((await (await startTestSite(db.path)).get('/donate')).text);
    expect(mute).toContain('Nie podano też adresu, na który można napisać, dlatego nic teraz nie wysyłaj.');
    expect(mute).not.toMatch(/napisz do nas|Wpłaty przyjmujemy|Co dzieje się potem|kto wpłaca/);
  });

  it('hears of every change of its donation, until the drain', async () => {
    looked(0);
    const id = demoDonationId('pending');
    const heard = await new Promise<AsyncIterator<string>>((resolve) => {
      get(`${site.origin}/donate/${id}/events`, (response) => {
        response.setEncoding('utf8');
        resolve(response[Symbol.asyncIterator]() as AsyncIterator<string>);
      });
    });
    const first = await heard.next();
    expect(first.value).toMatch(/^retry: 5000\ndata: 1-open-yes\n\n$/);
    db.statement('UPDATE donations SET revision = revision + 1 WHERE id = ?').run(id);
    expect((await heard.next()).value).toBe('data: 2-open-yes\n\n');
    // Also of the watch that is lost.
    looked(30);
    expect((await heard.next()).value).toMatch(/^data: 2-open-\d+\n\n$/);
    const unknown = await site.get(`/donate/ltc_${'0'.repeat(32)}/events`);
    expect(unknown.status).toBe(404);
    site.endStreams();
    expect((await heard.next()).done).toBe(true);
  });
});
