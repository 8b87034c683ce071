import type { PhraseSet } from './phrase-set.ts';
import { drawFacts } from './phrase.ts';
import legit from './phrases/legit.json' with { type: 'json' };
import scammers from './phrases/scammers.json' with { type: 'json' };
import servers from './phrases/servers.json' with { type: 'json' };
import { Random } from './random.ts';
import { readPhraseSet } from './read-phrases.ts';
import { sampleAccount, type SampleAccount } from './sample-account.ts';
import { sampleName, toLookAlike } from './sample-name.ts';
import { sampleProofs } from './sample-proofs.ts';
import { sampleReason } from './sample-reason.ts';
import type { SampleList, SampleRecord } from './sample-record.ts';

/**
 * Invented entries for the demo, the tests and the benchmark: any number, one at a time. A record depends
 * only on list, seed, `now` and its place in the row, so a longer run begins with the shorter one.
 */
export interface SampleOptions {
  count: number;
  seed: number;
  /** Epoch ms; the newest report is an hour older. Fixed by default, so that two runs agree. */
  now?: number;
}

export const SAMPLE_NOW = Date.UTC(2026, 10, 20, 12);

const VIEWS_MAX = 80_000;
const SHARED_EVERY = 200; // one trusted account in so many is also on the scammers list
const IMPERSONATOR_EVERY = 150; // one scammer in so many has a trusted person's nick, with look-alike letters
const LIST_SALT = { scammers: 0x51f15e, servers: 0x2b7e15, legit: 0x0ddba1 } as const satisfies Record<
  SampleList,
  number
>;
/**
 * Of reported ones the texts describe acts and never judge the person; of trusted ones they tell what went well and
 * promise nothing.
 */
const PHRASES: Record<SampleList, PhraseSet> = {
  scammers: readPhraseSet(scammers),
  servers: readPhraseSet(servers),
  legit: readPhraseSet(legit),
};

/** IDs never repeat inside a list; a trusted one may be a scammer's of the same seed, on purpose. */
export function* sampleRecords(
  list: SampleList,
  options: SampleOptions,
): Generator<SampleRecord, void, undefined> {
  const { count, seed, now = SAMPLE_NOW } = options;
  const random = new Random();
  for (let index = 0; index < count; index++) yield sampleRecord(random, { list, seed, index, now });
}

interface Place {
  list: SampleList;
  seed: number;
  index: number;
  now: number;
}

function sampleRecord(random: Random, place: Place): SampleRecord {
  const { list } = place;
  const { account, name } = drawIdentity(random, place);
  const set = PHRASES[list];
  const theme = random.pick(set.themes);
  const facts = drawFacts(random, account, theme);
  const record: SampleRecord = {
    id: account.id,
    name,
    reason: sampleReason(random, { set, theme, facts }),
    verified: list === 'legit' || random.chance(0.6),
    reportedAt: new Date(account.reportedMs).toISOString(),
    views: drawViews(random),
  };
  const proofs = sampleProofs(random, theme, facts);
  if (proofs !== undefined) record.proofs = proofs;
  return record;
}

function drawIdentity(random: Random, place: Place): { account: SampleAccount; name: string } {
  const { list, index } = place;
  if (list === 'legit' && index % SHARED_EVERY === 11)
    return drawOwnIdentity(random, { ...place, list: 'scammers' });
  if (list === 'scammers' && index % IMPERSONATOR_EVERY === 7) {
    const imitated = drawOwnIdentity(random, { ...place, list: 'legit' }).name;
    const { account } = drawOwnIdentity(random, place);
    return { account, name: toLookAlike(imitated, random) };
  }
  return drawOwnIdentity(random, place);
}

function drawOwnIdentity(random: Random, place: Place): { account: SampleAccount; name: string } {
  random.reseed(place.seed, LIST_SALT[place.list], place.index);
  return { account: sampleAccount(random, place), name: sampleName(random, place.list) };
}

/** A third of the entries was never opened; the rest has a long tail up to tens of thousands of views. */
function drawViews(random: Random): number {
  if (random.chance(0.34)) return 0;
  return Math.min(Math.floor(3 * (1 - random.unit()) ** -1.1), VIEWS_MAX);
}
