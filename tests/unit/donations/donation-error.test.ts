import { expect, it } from 'vitest';
import { donationError } from '#src/donations/donation-error.ts';
import type { Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { makeDonation, MINUTE_MS } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const db = await makeDatabase();
const donation = findDonation(db, makeDonation(db, { created_at: NOW })) as Donation;
const paid = { receivedLitoshi: 1 };
const over = { expiresAt: NOW - MINUTE_MS };

it.each<[Partial<Donation>, string | null]>([
  [{}, null],
  [over, 'Czas na wpłatę minął. Sprawdzimy jeszcze w sieci Litecoin, czy nie dotarła.'],
  [{ status: 'expired', ...over }, null],
  [{ status: 'underpaid', ...paid }, null],
  [{ status: 'underpaid', ...paid, ...over }, 'Kwota jest za niska, a czas na dopłatę minął.'],
  [{ status: 'seen', ...paid, isLate: true }, 'Wpłata dotarła po czasie, ale ją przyjmujemy.'],
  [
    { status: 'seen', ...paid, isReorganised: true },
    'Sieć cofnęła potwierdzenie. To się zdarza, czekamy na nowe.',
  ],
  [
    { isUnread: true, isReorganised: true, ...over },
    'Nie możemy odczytać części sieci Litecoin z czasu tej wpłaty. Jeśli pieniądze już wyszły z portfela, nie wysyłaj drugi raz.',
  ],
  [{ isReorganised: true }, 'Wpłata zniknęła z sieci, zanim została potwierdzona.'],
  [{ status: 'confirmed', ...paid, isReorganised: true }, null],
  [{ status: 'failed', ...paid }, 'Wpłata dotarła, ale coś ją zatrzymało. Nie wysyłaj drugi raz.'],
  [{ status: 'failed' }, 'Ta wpłata została anulowana. Nie wysyłaj nic na jej adres.'],
])('%j: %s', (facts, error) => {
  expect(donationError({ ...donation, ...facts }, NOW)).toBe(error);
});
