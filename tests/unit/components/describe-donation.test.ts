/** The donation page describes each state, and without a chain watch promises nothing that needs one. */
import { expect, it } from 'vitest';
import {
  describeDonation,
  findServer,
  type DonationView,
} from '#src/components/donation/describe-donation.ts';
import { DONATION } from '#src/components/donation/donation-texts.ts';
import { DONATION_STATUSES } from '#src/donations/donation-status.ts';
import type { Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import type { Monitoring } from '#src/donations/monitoring.ts';
import {
  DEMO_DONATION_NAMES,
  demoDonationId,
  storeDemoDonations,
  type DemoDonationName,
} from '../../../scripts/sample/demo-donations.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const BEHIND = { since: NOW - 30 * 60_000 };
/** Sentences that come true only when the chain is watched. */
const PROMISES = /i tak zobaczymy|pojawi się sama|Zostało około|zwykle kilka minut|po ostatnim potwierdzeniu/;
const CONTACT = 'mailto:pomoc@czujka.example';
const WRITE = /\[Napisz do nas\]\(mailto:pomoc@czujka\.example\)/;
const NO_ADDRESS = /Nasz adres pojawi się tutaj/;

const db = await makeDatabase();
storeDemoDonations(db, NOW);
const donationOf = (name: string) => findDonation(db, demoDonationId(name as DemoDonationName)) as Donation;
const donations = DEMO_DONATION_NAMES.map((name) => [name, donationOf(name)] as const);

function describeWith(donation: Donation, watched: Monitoring, canWrite = true) {
  const view = describeDonation(donation, 842, watched, canWrite ? CONTACT : undefined, NOW);
  return { ...view, text: view.sentences.join(' ').replaceAll('\u00a0', ' ') };
}

it.each<[string, DonationView['role'], step: number, isTierOpen: boolean, missingLitoshi: number]>([
  ['pending', undefined, 1, true, 12_500_000],
  ['unchecked', 'warn', 0, false, 0],
  ['seen', undefined, 3, true, 0],
  ['confirming', undefined, 3, true, 0],
  ['late', undefined, 3, true, 0],
  ['underpaid', 'warn', 1, true, 2_500_000],
  ['underpaid-closed', 'warn', 1, false, 0],
  ['confirmed', 'good', 4, true, 0],
  ['forwarding', 'warn', 4, true, 0],
  ['forwarded', undefined, 4, true, 0],
  ['expired', 'warn', 0, false, 0],
  ['vanished', 'warn', 1, true, 12_500_000],
  ['cancelled', undefined, 0, false, 0],
  ['failed', 'warn', 0, false, 0],
])('%s: %s, step %i', (name, role, step, isTierOpen, missingLitoshi) => {
  const view = describeWith(donationOf(name), 'yes');
  expect(view).toMatchObject({ role, step, isTierOpen, missingLitoshi });
  expect(view.isOver).toBe(['forwarded', 'cancelled', 'failed'].includes(name));
  expect(view.isExpired).toBe(name === 'expired');
  if (name === 'forwarding') expect(view.title).toBe(DONATION.roleFailed.title);
  if (name === 'vanished') expect(view.title).toBe(DONATION.vanished.title);
});

it('shows the steps that the donation goes through, and which of them are done', () => {
  const courseOf = (name: string, changes: Partial<Donation>) => {
    const { steps, current, isDone } = describeWith({ ...donationOf(name), ...changes }, 'yes').course;
    return [steps[current - 1], ...steps.map((step, place) => (isDone(place) ? step : `${step} …`))];
  };
  const none = { roleStatus: 'none', roleExpected: false, forwardTxId: null } as const;
  const [first, second, third, role, forwarding] = DONATION.steps;
  const paid = [first, second, third];
  expect(courseOf('confirmed', none)).toEqual([forwarding, ...paid, `${forwarding} …`]);
  const waiting = [role, ...paid, `${role} …`, `${forwarding} …`];
  expect(courseOf('confirmed', { ...none, roleExpected: true })).toEqual(waiting);
  expect(courseOf('confirmed', { ...none, roleStatus: 'waiting' })).toEqual(waiting);
  const given = [forwarding, ...paid, role, `${forwarding} …`];
  expect(courseOf('confirmed', { ...none, roleStatus: 'done' })).toEqual(given);
  expect(courseOf('confirmed', { ...none, roleStatus: 'failed' })).toEqual(waiting);
  const forwarded = [...waiting.slice(0, -1), forwarding];
  expect(courseOf('forwarded', { ...none, roleStatus: 'waiting' })).toEqual(forwarded);
  expect(courseOf('forwarded', { ...none, roleStatus: 'done' })).toEqual([undefined, ...DONATION.steps]);
});

it('says when the role comes of one that is expected, and only where that is enough for it', () => {
  const donation = donationOf('confirming');
  expect(describeWith(donation, 'yes').sentences).toContain(DONATION.roles.expected);
  for (const other of [{ roleExpected: false }, { receivedLitoshi: 1 }])
    expect(describeWith({ ...donation, ...other }, 'yes').sentences).not.toContain(DONATION.roles.expected);
});

it('says what a payment that was too small lacks, in both currencies', () => {
  const { title } = describeWith(donationOf('underpaid'), 'yes');
  expect(title.replaceAll('\u00a0', ' ')).toBe('Brakuje 0,025 LTC (8,42 zł)');
});

it('leads to the first safe link of the text that says how to begin', () => {
  const text = 'Wejdź na [serwer](https://a.example/x) albo [forum](https://b.example).';
  expect(findServer(text)).toBe('https://a.example/x');
  expect([undefined, 'Napisz do nas.', '[tu](http://a.example)'].map(findServer)).toEqual([undefined, undefined, undefined]); // prettier-ignore
});

it('asks to look into the wallet before a new donation is begun', () => {
  const { sentences } = describeWith(donationOf('expired'), 'yes');
  expect(sentences).toEqual([expect.stringMatching(/już wyszły.*pojawi się sama/s), DONATION.expired.again]);
});

it('has every status among its samples', () => {
  expect(new Set(donations.map(([, { status }]) => status))).toEqual(new Set(DONATION_STATUSES));
});

it.each(donations)('promises nothing that nobody keeps: %s', (name, donation) => {
  const isOver = ['forwarded', 'failed'].includes(donation.status);
  const watched = describeWith(donation, 'yes');
  expect(watched.notice).toBeUndefined();
  const isWaiting = /^(?:pending|ending|seen|reorganised|confirming|overpaid|late|expired)$/.test(name);
  expect(PROMISES.test(watched.text)).toBe(isWaiting);
  const behind = describeWith(donation, BEHIND);
  expect(behind.text).not.toMatch(PROMISES);
  // The page takes a donation that is over as watched.
  if (!isOver && !['expired', 'unchecked'].includes(name))
    expect(behind.notice).toBe(DONATION.behind(BEHIND.since, NOW));
  const unread = describeWith(donation, 'unread');
  expect([PROMISES.test(unread.text), unread.missingLitoshi]).toEqual([false, 0]);
  const never = describeWith(donation, 'never');
  expect(never.text).not.toMatch(PROMISES);
  // Its time is over, and it ends only when somebody can look.
  if (name === 'unchecked') expect([behind.notice, never.notice]).toEqual([DONATION.blind, DONATION.blind]);
  else if (!isOver) expect(never.notice).toBe(DONATION.paused);
});

it.each(donations)('tells nobody to write where there is no address, nor to pay: %s', (_name, donation) => {
  const mute = describeWith(donation, 'never', false);
  expect(mute.text).not.toMatch(WRITE);
  expect(mute.text).not.toMatch(/Dopłać/);
  expect(mute.missingLitoshi).toBe(0);
  // A missing address is mentioned only where donors are told to write.
  expect(NO_ADDRESS.test(mute.text)).toBe(WRITE.test(describeWith(donation, 'never').text));
});
