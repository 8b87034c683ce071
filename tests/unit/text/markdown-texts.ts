import fc from 'fast-check';

const MARKS = [
  ...'* ** _ __ ~~ ` ``` [ ] ]( ( ) ![ < > | \\ & " \' [x] - 1. > #'.split(' '),
  ...['\n', '\n\n', '  \n', '    ', '\t', '- ', '1. ', '> ', '# ', '###### ', '---\n', '===\n', '- [x] '],
  ...['| a | b |\n', '|---|---|\n', '[a](http://b.pl "c")', '[x]: https://x.pl/?a=1&b=2\n'],
  ...['![alt](http://i.pl/i.png)', '<img src=x onerror=alert(1)>', '<a href="http://a.pl">', '</a>', '<!--'],
  ...'https://a.pl/b_c www.a.pl a@b.pl <https://a.pl> <script> <xmp> <svg> </p> --> ]]> http://'.split(' '),
  ...'javascript:alert(1) (javascript:alert(1)) &#106; &lt; &#0; &nbsp; słowo a 1'.split(' '),
  ...[' ', '\u00a0', '\u200b', '\ufeff', '\0'],
];

export const anyMarkdown = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...MARKS) },
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((parts) => parts.join(''));

/** A text of exactly `length` code units. */
export function repeatTo(length: number, part: string): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}
