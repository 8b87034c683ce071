/** Phrases of a list as its file in phrases/ holds them: what several themes share is written once and named. */
import { z } from 'zod';
import type { PhraseSet, PhraseTheme } from './phrase-set.ts';
import { phrases } from './phrase.ts';
import { ITEMS, PAYMENTS, SERVICES } from './reason-words.ts';
import type { Noun } from './reason-words.ts';

const templatesSchema = z.array(z.string()).transform((templates) => phrases(templates));

/** The name of one of these lists. */
function nounsSchema<Name extends string>(lists: Readonly<Record<Name, readonly Noun[]>>) {
  return z.enum(Object.keys(lists) as Name[]).transform((name): readonly Noun[] => lists[name]);
}

const themeSchema = z.strictObject({
  /** How often it is drawn, beside the others. */
  share: z.int().positive(),
  /** The name of the proofs that fit it. */
  proofs: z.string(),
  items: nounsSchema(ITEMS).exactOptional(),
  payments: nounsSchema(PAYMENTS).exactOptional(),
  services: nounsSchema(SERVICES).exactOptional(),
  openings: templatesSchema,
  details: templatesSchema,
  quotes: templatesSchema,
  steps: templatesSchema,
  /** Its own, or the name of the theme whose messages it has too. */
  messages: z.union([templatesSchema, z.string()]),
});

const setSchema = z.strictObject({
  proofs: z.record(
    z.string(),
    z.strictObject({ proofTexts: templatesSchema, proofCaptions: templatesSchema }),
  ),
  themes: z.record(z.string(), themeSchema),
  details: templatesSchema,
  closings: templatesSchema,
  words: z.array(z.string()),
  headings: z.array(z.string()),
  nextCaseHeading: z.string(),
  bulletIntros: templatesSchema,
  bullets: templatesSchema,
  stepIntros: templatesSchema,
  quoteIntros: templatesSchema,
  tableHead: z.string(),
  tableRows: templatesSchema,
});

/** @throws when the file says something else than a phrase set, or a template has a slot that does not exist */
export function readPhraseSet(file: unknown): PhraseSet {
  const { proofs, themes, ...rest } = setSchema.parse(file);
  const drawn = Object.values(themes).flatMap(({ share, proofs: kind, messages, ...theme }) => {
    const lines = typeof messages === 'string' ? themes[messages]?.messages : messages;
    const shown = proofs[kind];
    if (!shown) throw new Error(`there are no proofs named ${kind}`);
    if (typeof lines !== 'object') throw new Error('a theme names messages that no other theme has');
    return Array<PhraseTheme>(share).fill({ ...theme, ...shown, messages: lines });
  });
  return { ...rest, themes: drawn };
}
