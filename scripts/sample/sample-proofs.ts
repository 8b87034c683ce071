import { Draw } from './draw.ts';
import type { PhraseTheme } from './phrase-set.ts';
import { drawUrl, type Facts } from './phrase.ts';
import type { Random } from './random.ts';
import type { SampleProofItem, SampleProofs } from './sample-record.ts';

/**
 * No proofs in 45 % of the records, public ones in 40 %, private ones in 15 % (a fifth of these without
 * items).
 */
export function sampleProofs(random: Random, theme: PhraseTheme, facts: Facts): SampleProofs | undefined {
  const roll = random.unit();
  if (roll < 0.45) return undefined;
  const isPrivate = roll >= 0.85;
  const count = isPrivate && random.chance(0.2) ? 0 : 1 + Math.floor(random.unit() ** 1.6 * 5);
  const texts = new Draw(random, theme.proofTexts);
  const captions = new Draw(random, theme.proofCaptions);
  const items: SampleProofItem[] = [];
  for (let at = 0; at < count; at++) items.push(sampleProofItem(random, { texts, captions }, facts));
  return { private: isPrivate, items };
}

/** Text, a link, or both; a link mostly with a caption. */
function sampleProofItem(
  random: Random,
  draws: { texts: Draw; captions: Draw },
  facts: Facts,
): SampleProofItem {
  const item: SampleProofItem = {};
  const hasText = random.chance(0.5);
  if (hasText) item.text = draws.texts.next(facts);
  if (!hasText || random.chance(0.3)) {
    item.url = drawUrl(random);
    if (random.chance(0.8)) item.caption = draws.captions.next(facts);
  }
  return item;
}
