import type { Donation } from './donation.ts';
import { isPaid } from './donation-status.ts';

/** The API (SPEC 2.5, `error`) and the page share this sentence for the donor. @param now epoch milliseconds */
export function donationError(donation: Donation, now: number): string | null {
  const { status, receivedLitoshi, expiresAt, isReorganised, isLate, isUnread } = donation;
  if (status === 'failed')
    return receivedLitoshi > 0
      ? 'Wpłata dotarła, ale coś ją zatrzymało. Nie wysyłaj drugi raz.'
      : 'Ta wpłata została anulowana. Nie wysyłaj nic na jej adres.';
  if (isUnread)
    return 'Nie możemy odczytać części sieci Litecoin z czasu tej wpłaty. Jeśli pieniądze już wyszły z portfela, nie wysyłaj drugi raz.';
  if (isReorganised && !isPaid(status))
    return receivedLitoshi > 0
      ? 'Sieć cofnęła potwierdzenie. To się zdarza, czekamy na nowe.'
      : 'Wpłata zniknęła z sieci, zanim została potwierdzona.';
  if (status === 'pending' && now >= expiresAt)
    return 'Czas na wpłatę minął. Sprawdzimy jeszcze w sieci Litecoin, czy nie dotarła.';
  if (status === 'underpaid' && now >= expiresAt) return 'Kwota jest za niska, a czas na dopłatę minął.';
  if (isLate && receivedLitoshi > 0 && status !== 'underpaid')
    return 'Wpłata dotarła po czasie, ale ją przyjmujemy.';
  return null;
}
