import { Draw, drawInOrder } from './draw.ts';
import type { PhraseSet, PhraseTheme } from './phrase-set.ts';
import { drawFurtherCase, type Facts } from './phrase.ts';
import type { Random } from './random.ts';

/** What one reason is made of. */
export interface ReasonSources {
  set: PhraseSet;
  theme: PhraseTheme;
  facts: Facts;
}

/**
 * A reason in Markdown: mostly 80–600 characters, some 1–3 kB, rarely about 10 kB; a few empty or of one
 * word.
 */
export function sampleReason(random: Random, sources: ReasonSources): string {
  const roll = random.below(1000);
  if (roll < 15) return '';
  if (roll < 35) return random.pick(sources.set.words);
  if (roll < 900) return composeShort(random, sources, random.between(40, 480));
  if (roll < 940) return composeShort(random, sources, random.between(480, 900));
  return composeLong(random, sources, roll < 994 ? random.between(1000, 2600) : random.between(3000, 9500));
}

/** One or two paragraphs, sometimes with one block between them. */
function composeShort(random: Random, sources: ReasonSources, length: number): string {
  const { set, theme, facts } = sources;
  const details = new Draw(random, theme.details, set.details);
  let text = random.pick(theme.openings)(facts, random);
  if (length > 250 && random.chance(0.3)) {
    text += `\n\n${block(random, sources, 3)}`;
    if (text.length < length) text += `\n\n${details.next(facts)}`;
  }
  while (text.length < length) {
    text += length > 350 && random.chance(0.15) ? '\n\n' : ' ';
    text += details.next(facts);
  }
  if (random.chance(0.5)) {
    // Only texts over 250 characters hold a block, and nothing may be glued to the end of a block.
    const gap = length > 250 || random.chance(0.3) ? '\n\n' : ' ';
    text += gap + random.pick(set.closings)(facts, random);
  }
  return text;
}

/** Sections with headings, blocks and paragraphs; a new case begins when the sentences of one are used up. */
function composeLong(random: Random, sources: ReasonSources, length: number): string {
  const { set } = sources;
  const headings = [...set.headings];
  let current = sources;
  let details = new Draw(random, current.theme.details, set.details);
  let text = random.pick(current.theme.openings)(current.facts, random);
  while (text.length < length) {
    if (details.isExhausted) {
      const theme = random.pick(set.themes);
      current = { set, theme, facts: drawFurtherCase(random, current.facts, theme) };
      details = new Draw(random, theme.details);
      text += `\n\n## ${set.nextCaseHeading}\n\n${random.pick(theme.openings)(current.facts, random)}`;
    } else if (headings.length > 0 && random.chance(0.3)) {
      const heading = headings.splice(random.below(headings.length), 1)[0];
      text += `\n\n## ${heading}\n\n${details.next(current.facts)}`;
    }
    const part = random.chance(0.4) ? block(random, current, 7) : paragraph(random, details, current.facts);
    text += `\n\n${part}`;
  }
  return `${text}\n\n${random.pick(set.closings)(current.facts, random)}`;
}

function paragraph(random: Random, details: Draw, facts: Facts): string {
  let text = details.next(facts);
  for (let count = random.between(1, 4); count > 0 && !details.isExhausted; count--)
    text += ` ${details.next(facts)}`;
  return text;
}

/** A list, numbered list, quotation, code block or, rarely, a table, of 2 to `size` lines. */
function block(random: Random, { set, theme, facts }: ReasonSources, size: number): string {
  const count = random.between(2, size);
  const roll = random.below(100);
  if (roll < 34) {
    const intro = random.pick(set.bulletIntros)(facts, random);
    return `${intro}\n\n${drawLines(new Draw(random, set.bullets), facts, count, '- ')}`;
  }
  if (roll < 58) {
    const intro = random.pick(set.stepIntros)(facts, random);
    const steps = drawInOrder(random, theme.steps, facts, count + 1);
    return `${intro}\n\n${steps.map((step, at) => `${at + 1}. ${step}`).join('\n')}`;
  }
  if (roll < 82) {
    return `${random.pick(set.quoteIntros)(facts, random)}\n\n> ${random.pick(theme.quotes)(facts, random)}`;
  }
  if (roll < 95) return `\`\`\`\n${drawInOrder(random, theme.messages, facts, count + 1).join('\n')}\n\`\`\``;
  return `${set.tableHead}\n${drawLines(new Draw(random, set.tableRows), facts, count, '')}`;
}

function drawLines(draw: Draw, facts: Facts, count: number, prefix: string): string {
  let text = prefix + draw.next(facts);
  for (let at = 1; at < count; at++) text += `\n${prefix}${draw.next(facts)}`;
  return text;
}
