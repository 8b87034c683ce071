import fc from 'fast-check';

const MARKS = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '~~',
    '`',
    '```',
    '[',
    ']',
    '](',
    '(',
    ')',
    '![',
    '<',
    '>',
    '|',
    '\\',
    '&',
    '"',
    "'",
  ],
  ...[
    '\n',
    '\n\n',
    '  \n',
    '    ',
    '\t',
    '- ',
    '1. ',
    '> ',
    '# ',
    '###### ',
    '---\n',
    '===\n',
    '- [x] ',
    '| a | b |\n',
  ],
  ...[
    '|---|---|\n',
    '[a](http://b.pl "c")',
    '[x]: https://x.pl/?a=1&b=2\n',
    '[x]',
    '![alt](http://i.pl/i.png)',
  ],
  ...[
    'https://a.pl/b_c',
    'www.a.pl',
    'a@b.pl',
    '<https://a.pl>',
    '<script>',
    '<img src=x onerror=alert(1)>',
    '<!--',
  ],
  ...[
    'javascript:alert(1)',
    '(javascript:alert(1))',
    '&#106;',
    '&lt;',
    '&#0;',
    '&nbsp;',
    '<a href="http://a.pl">',
    '</a>',
  ],
  ...[
    'słowo',
    'a',
    ' ',
    '1',
    'http://',
    '<xmp>',
    '<svg>',
    '</p>',
    '-->',
    ']]>',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\0',
  ],
];

/** Markdown as nobody writes it: marks, words and any characters in any order. */
export const anyMarkdown = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...MARKS) },
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    {
      maxLength: 60,
      size: 'max',
    },
  )
  .map((parts) => parts.join(''));

/** A text of exactly `length` code units. */
export function repeatTo(length: number, part: string): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}
