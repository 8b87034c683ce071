import { MarkdownProblem } from './markdown-problem.ts';

/** Quotes and lists inside each other. People rarely write more than four. */
export const BLOCK_DEPTH_MAX = 12;

const MARKER = /[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))/y;
const RULE = /[ \t]*(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/y;
const TOO_MANY_MARKERS = new RegExp(`^(?:${MARKER.source}){${BLOCK_DEPTH_MAX + 1}}`, 'm');

/**
 * Refuses a line that opens more than {@link BLOCK_DEPTH_MAX} quotes or lists at once, such as `>>>>…` or `- - - … x`.
 * The lexer counts levels too, but on such a line marked is quadratic before it reaches the second level.
 */
export function checkLineNesting(markdown: string): void {
  if (!TOO_MANY_MARKERS.test(markdown)) return;
  let lineNumber = 0;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    lineNumber += 1;
    const levels = countLevels(line);
    if (levels > BLOCK_DEPTH_MAX) {
      throw new MarkdownProblem(
        `nested too deeply: ${levels} levels of quotes or lists on line ${lineNumber}; ` +
          `at most ${BLOCK_DEPTH_MAX} are allowed`,
      );
    }
  }
}

function countLevels(line: string): number {
  let levels = 0;
  let position = 0;
  while (true) {
    MARKER.lastIndex = position;
    if (!MARKER.test(line)) return levels;
    // `- - - -` and `> * * *` end in a horizontal rule, not in lists. Beyond the limit it no longer matters.
    RULE.lastIndex = position;
    if (levels <= BLOCK_DEPTH_MAX && RULE.test(line)) return levels;
    levels += 1;
    MARKER.lastIndex = position;
    MARKER.test(line);
    position = MARKER.lastIndex;
  }
}
