/** What the preview of a page says, looked up as the page itself looks it up. */
import { amountInGrosze } from '#src/donations/donation.ts';
import { isDonationId } from '#src/donations/donation-id.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { findWatched } from '#src/donations/watched.ts';
import { leaveOutTrusted } from '#src/entries/check-entries.ts';
import { isPlatformId } from '#src/entries/subject.ts';
import { NO_STORE, STATUS_CACHE } from '#src/http/cache-policy.ts';
import type { Reply } from '#src/http/endpoint.ts';
import type { Preview } from '#src/previews/preview.ts';
import type { Services } from '#src/services.ts';
import { overallHealth } from '#src/status/status.ts';
import { describeDonation } from '../components/donation/describe-donation.ts';
import {
  CHECK_PREVIEW,
  DONATE_PREVIEW,
  donationPreview,
  idPreview,
  listPreview,
  statusPreview,
} from '../components/layout/preview-texts.ts';
import { roleOf, strongestRole } from '../components/ui/role.ts';

export const PREVIEW_PAGES = ['check', 'scammers', 'servers', 'legit', 'status', 'donate'] as const;
type PreviewPage = (typeof PREVIEW_PAGES)[number];

/** With how long it may be kept, where that is not as long as a list. */
export interface Described extends Pick<Reply, 'cache' | 'ageMs' | 'keptSeconds'> {
  readonly preview: Preview;
}

/** @param id what a check or a donation is about; other pages have none */
export async function describePreview(
  page: PreviewPage,
  id: string | undefined,
  services: Services,
  now: number,
): Promise<Described> {
  if (page === 'check') return { preview: id === undefined ? CHECK_PREVIEW : ofId(id, services, now) };
  if (page === 'donate')
    return id === undefined
      ? { preview: DONATE_PREVIEW }
      : { preview: ofDonation(id, services, now), cache: NO_STORE };
  if (page === 'status') {
    const { status, ...kept } = await services.readStatus();
    const preview = statusPreview(overallHealth(status), Date.parse(status.checkedAt));
    return { preview, cache: STATUS_CACHE, ...kept };
  }
  return { preview: listPreview(page, services.serving.count(page), now) };
}

function ofId(id: string, { serving }: Services, now: number): Preview {
  const found = leaveOutTrusted(serving.findEntriesById(id), ({ list }) => list);
  // Whoever writes a link chooses its ID: words of his are not for our picture.
  if (found.length === 0 && !isPlatformId(id)) return CHECK_PREVIEW;
  const role = strongestRole(found);
  return idPreview(role, id, found.find((entry) => roleOf(entry) === role)?.name, now);
}

function ofDonation(id: string, { db, hasChainSource, operator }: Services, now: number): Preview {
  const donation = isDonationId(id) ? findDonation(db, id) : undefined;
  if (!donation) return donationPreview(undefined, now);
  const watched = findWatched(db, id, hasChainSource, now);
  const canWrite = operator.appealsContact !== undefined;
  return donationPreview(describeDonation(donation, amountInGrosze(donation), watched, canWrite, now), now);
}
