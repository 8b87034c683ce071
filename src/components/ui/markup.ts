import { escapeMarkup } from '#src/escape-markup.ts';
import { bindWords } from './polish.ts';

/**
 * HTML made by functions, for rows that occur often: as components they took four fifths of a page's time. Only `markup`
 * makes it and escapes every value; Markup.astro puts it into a page.
 */
class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}
export type { Markup };

/** @param rendered HTML that Astro has made of a slot, and so has escaped */
export function slotMarkup(rendered: string): Markup {
  return new Markup(rendered);
}

const VERBATIM_OR_TAG = /(<(?:pre|code)[\s>][^]*?<\/(?:pre|code)>|<[^<>]+>)/;

/**
 * The texts of a page written as plain markup, with no-break spaces where Polish needs them.
 * @param rendered HTML that Astro has made of a slot, and so has escaped
 */
export function bindMarkup(rendered: string): Markup {
  const parts = rendered.split(VERBATIM_OR_TAG);
  return new Markup(
    parts.map((part, at) => (at % 2 > 0 ? part : bindWords(part.replace(/[ \n]+/g, ' ')))).join(''),
  );
}

const RICH =
  /\*\*(?<bold>.+?)\*\*|`(?<code>.+?)`|\[(?<label>[^[\]]+)\]\((?<href>(?:\/|#|https:|mailto:)[^)]*)\)/g;

/** A text in which `**bold**`, code in backquotes and `[label](address)` become elements; all else stays text. */
export function markRich(text: string): Markup {
  const html = escapeMarkup(text).replace(RICH, (...match) => {
    const { bold, code, label, href } = match.at(-1) as Record<string, string | undefined>;
    if (bold !== undefined) return `<strong>${bold}</strong>`;
    return code === undefined ? `<a href="${href}">${label}</a>` : `<code>${code}</code>`;
  });
  return new Markup(html);
}

/** Text between elements, where quotes are only text; a page of code has hundreds of them. */
export function textMarkup(text: string): Markup {
  return new Markup(escapeMarkup(text).replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
}

/** Text is escaped; undefined is empty. */
type Filling = string | undefined | Markup | readonly Markup[];

/** The static parts of each template, with white space collapsed as Astro does. */
const squeezed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Values may stand between elements or in double-quoted attributes only. */
export function markup(template: TemplateStringsArray, ...fillings: readonly Filling[]): Markup {
  let parts = squeezed.get(template);
  if (!parts) squeezed.set(template, (parts = template.map((part) => part.replace(/\s+/g, ' '))));
  let html = parts[0] as string;
  for (let place = 0; place < fillings.length; place += 1)
    html += render(fillings[place]) + (parts[place + 1] as string);
  return new Markup(html);
}

function render(filling: Filling): string {
  if (typeof filling === 'string') return escapeMarkup(filling);
  if (filling === undefined) return '';
  return filling instanceof Markup ? filling.toString() : filling.join('');
}
