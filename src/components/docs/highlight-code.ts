import { markup, textMarkup, type Markup } from '../ui/markup.ts';

/** Comments, strings and words of JavaScript, TypeScript, Python and the shell, as the samples are written. */
const PROGRAM =
  /(?<i>(?<=^|\s)(?:\/\/|#) .*)|(?<u>`[^`]*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<!\.)\b(?<b>as|async|await|break|catch|class|const|continue|def|elif|else|except|export|finally|for|from|function|if|import|in|let|new|not|of|raise|return|throw|try|type|while|with)\b(?![:=])/gm;
/** Names and texts. */
const JSON_PARTS = /(?<b>"(?:\\.|[^"\\])*"(?=:))|(?<u>"(?:\\.|[^"\\])*")/g;

/** The shortest elements: a page of code has hundreds, and /docs has no room for longer ones. */
const ELEMENTS: Readonly<Record<string, (text: Markup) => Markup>> = {
  i: (text) => markup`<i>${text}</i>`,
  u: (text) => markup`<u>${text}</u>`,
  b: (text) => markup`<b>${text}</b>`,
};

const isJson = (code: string): boolean => /^[[{]/.test(code);

export function highlightCode(code: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of code.matchAll(isJson(code) ? JSON_PARTS : PROGRAM)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    const text = textMarkup(found);
    parts.push(markup`${textMarkup(code.slice(end, index))}${ELEMENTS[kind]?.(text)}`);
    end = index + found.length;
  }
  return markup`${parts}${textMarkup(code.slice(end))}`;
}
