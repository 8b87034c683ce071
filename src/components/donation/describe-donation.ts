/** The page of a donation in each state: one heading, and the sentences below it. */
import type { Donation } from '#src/donations/donation.ts';
import type { Monitoring } from '#src/donations/monitoring.ts';
import type { Role } from '../ui/role.ts';
import { DONATION, ltc, zl } from './donation-texts.ts';

/** Blocks come every two and a half minutes on average. */
const BLOCK_MINUTES = 2.5;

/** The address of the operator's server: the first link of the text that says how to begin. */
export function findServer(howToStart: string | undefined): string | undefined {
  return /\]\((https:[^)\s]+)\)/.exec(howToStart ?? '')?.[1];
}

interface State {
  readonly title: string;
  /** Undefined: no mark, a neutral head. */
  readonly role?: Role;
  readonly sentences: readonly string[];
  /** The sentences already say what the API says in `error`. */
  readonly saysError?: boolean;
  /** The amount to pay with its address and QR code; 0 hides all three. */
  readonly missingLitoshi?: number;
  /** From 1; 4: the payment is confirmed; 0 where no step is. */
  readonly step?: number;
}

export type DonationView = ReturnType<typeof describeDonation>;

/**
 * @param missingGrosze the value of what is still missing
 * @param watched without a chain watch, the page promises nothing and asks for nothing
 * @param contact link to the operator; undefined while the page cannot name one
 */
export function describeDonation(
  donation: Donation,
  missingGrosze: number,
  watched: Monitoring,
  contact: string | undefined,
  now: number,
) {
  const { status, roleStatus, expiresAt } = donation;
  const write = contact === undefined ? DONATION.keepId : DONATION.write(contact);
  const isOpen = now < expiresAt;
  const isExpired = status === 'expired' || (status === 'pending' && !isOpen);
  const state = describeState(donation, missingGrosze, watched, write, now);
  const { step = 0, missingLitoshi = 0 } = state;
  return {
    role: undefined,
    saysError: false,
    ...state,
    step,
    /** The steps that the donation goes through, as the stepper takes them. */
    course: describeCourse(donation, step),
    /** A warning that the state shown here may be old. */
    notice: describeWatch(donation, watched, now),
    /** Whether the donation may still buy premium. */
    isTierOpen: !isExpired && status !== 'failed' && (isOpen || status !== 'underpaid'),
    isOver: status === 'failed' || (status === 'forwarded' && roleStatus !== 'waiting'),
    // Until the network was checked, the donor may have paid.
    isExpired: status === 'expired',
    missingLitoshi: isBlind(watched) ? 0 : missingLitoshi,
  };
}

function describeState(
  donation: Donation,
  missingGrosze: number,
  watched: Monitoring,
  write: string,
  now: number,
): State {
  const { status, roleStatus, roleExpected, receivedLitoshi, minimumLitoshi, expiresAt } = donation;
  const [received, asked] = [ltc(receivedLitoshi), ltc(minimumLitoshi)];
  const isOpen = now < expiresAt;
  const over = receivedLitoshi > minimumLitoshi ? [DONATION.over(received, asked)] : [];
  const role = roleStatus === 'waiting' || roleStatus === 'done' ? [DONATION.roles[roleStatus]] : [];
  // Less than the price buys no role.
  const isExpected = roleExpected && watched === 'yes' && receivedLitoshi >= minimumLitoshi;
  const arriving = [
    ...(watched === 'never' ? [write] : []),
    ...(isExpected ? [DONATION.roles.expected] : []),
    ...over,
  ];
  if (roleStatus === 'failed' && ['confirmed', 'forwarding', 'forwarded'].includes(status)) {
    const { title, text } = DONATION.roleFailed;
    return { title, role: 'warn', sentences: [`${text} ${write}`], step: 4 };
  }
  switch (status) {
    case 'pending': {
      if (!isOpen) return describeExpired(donation, watched, write);
      const { pending, vanished } = DONATION;
      const step = { step: 1, missingLitoshi: minimumLitoshi };
      if (watched === 'unread') return { title: pending.title, role: 'warn', sentences: [write], ...step };
      if (donation.isReorganised)
        return { title: vanished.title, role: 'warn', sentences: [vanished.text], saysError: true, ...step };
      return { title: pending.title, sentences: watched === 'yes' ? [pending.close] : [], ...step };
    }
    case 'seen': {
      const { title, text, unwatched } = DONATION.seen;
      return { title, sentences: [watched === 'yes' ? text : unwatched, ...arriving], step: 3 };
    }
    case 'confirming': {
      const { title, text, unwatched } = DONATION.confirming;
      const { confirmations, requiredConfirmations: required } = donation;
      const minutes = Math.ceil((required - confirmations) * BLOCK_MINUTES);
      const sentences = [watched === 'yes' ? text(minutes) : unwatched, ...arriving];
      return { title: title(confirmations, required), sentences, step: 3 };
    }
    case 'underpaid': {
      const { title, arrived, add, closed } = DONATION.underpaid;
      const missing = minimumLitoshi - receivedLitoshi;
      const next = isOpen ? (isBlind(watched) ? [] : [add]) : [closed, write];
      return {
        title: title(ltc(missing), zl(missingGrosze)),
        role: 'warn',
        sentences: [[arrived(received, asked), ...next].join(' ')],
        step: 1,
        missingLitoshi: isOpen ? missing : 0,
      };
    }
    case 'confirmed':
    case 'forwarding': {
      const { title, text } = DONATION.confirmed;
      return { title, role: 'good', sentences: [text, ...role, ...over], step: 4 };
    }
    case 'forwarded': {
      const { title, text } = DONATION.forwarded;
      return { title: title(received), sentences: [[text, ...role].join(' ')], step: 4 };
    }
    case 'expired':
      return describeExpired(donation, watched, write);
    case 'failed': {
      const { failed, cancelled } = DONATION;
      if (receivedLitoshi > 0)
        return { title: failed.title, role: 'warn', sentences: [failed.text, write], saysError: true };
      const sentences = [cancelled.text, `${cancelled.sent} ${write}`];
      return { title: cancelled.title, sentences, saysError: true };
    }
  }
}

/** As many steps from the first to the last day, in the order in which they mostly end. */
function describeCourse({ status, roleStatus, roleExpected, forwardTxId }: Donation, step: number) {
  const [paid, seen, confirmed, role, forwarded] = DONATION.steps;
  const hasRole = roleExpected || roleStatus !== 'none';
  const steps = [paid, seen, confirmed, ...(hasRole ? [role] : []), forwarded];
  const ends = [1 < step, 2 < step, 3 < step, ...(hasRole ? [roleStatus === 'done'] : [])];
  const isDone = (place: number): boolean => ends[place] ?? (status === 'forwarded' || forwardTxId !== null);
  return { steps, current: 1 + steps.findIndex((_, place) => !isDone(place)) || steps.length + 1, isDone };
}

/** A payment may stay unseen. */
function isBlind(watched: Monitoring): boolean {
  return watched === 'never' || watched === 'unread';
}

function describeExpired({ status }: Donation, watched: Monitoring, write: string): State {
  const { title, again, sent, soon, later } = DONATION.expired;
  // An explorer is asked once a day about a donation that expired long ago, and soon about one with an unchecked end.
  const hope = status === 'pending' ? later : soon;
  const isFollowed = status === 'pending' ? !isBlind(watched) : watched === 'yes';
  return { title, role: 'warn', sentences: [`${sent} ${isFollowed ? hope : write}`, again] };
}

function describeWatch(
  { status, expiresAt }: Donation,
  watched: Monitoring,
  now: number,
): string | undefined {
  // The error says that blocks were not read.
  if (watched === 'yes' || watched === 'unread') return undefined;
  if (status === 'pending' && now >= expiresAt) return DONATION.blind;
  if (watched === 'never') return DONATION.paused;
  // An explorer is asked about it once a day.
  return status === 'expired' ? undefined : DONATION.behind(watched.since, now);
}
