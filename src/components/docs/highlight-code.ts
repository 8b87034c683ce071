import { markup, textMarkup, type Markup } from '../ui/markup.ts';

/** Comments, strings and words of JavaScript, TypeScript, Python and the shell, as the samples are written. */
const COLOURED =
  /(?<c>(?<=^|\s)(?:\/\/|#) .*)|(?<s>`[^`]*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<!\.)\b(?<w>as|async|await|break|catch|class|const|continue|def|elif|else|except|export|finally|for|from|function|if|import|in|let|new|not|of|raise|return|throw|try|type|while|with)\b(?![:=])/gm;

/** Answers in JSON stay plain: colours for them cost more than /docs may weigh. */
export function highlightCode(code: string): Markup {
  if (/^[[{]/.test(code)) return textMarkup(code);
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of code.matchAll(COLOURED)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    parts.push(
      markup`${textMarkup(code.slice(end, index))}<span class="${kind}">${textMarkup(found)}</span>`,
    );
    end = index + found.length;
  }
  return markup`${parts}${textMarkup(code.slice(end))}`;
}
