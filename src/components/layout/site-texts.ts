/**
 * Texts of components are in `*-texts.ts` beside them; the texts of a text page are its markup (layouts/TextPage.astro).
 * `**bold**` and `[label](address)` are drawn by Rich.astro; polish.ts knows the forms of words and dates. A component takes data and gives markup; text is escaped by Astro, or by markup.ts where rows are made without
 * it. Here are the names that all pages use.
 */
import { pl } from '../ui/polish.ts';

export const SITE_NAME = 'Czujka';

export const printedOn = (date: string): string => pl`wydruk z ${date}`;

/** The platform in the genitive; its name is not declined, and may not be set yet. */
export const ofPlatform = (name: string | undefined): string =>
  name === undefined ? pl`platformy, której dotyczą wpisy` : pl`platformy ${name}`;
