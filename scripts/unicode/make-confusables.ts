/**
 * Makes src/text/confusables.json of Unicode's confusables.txt (UTS #39, Unicode Security Mechanisms):
 *
 *     node scripts/unicode/make-confusables.ts FILE
 *
 * The table at hand was made of version 17.0.0, the Unicode version of the project's Node. The file stands at
 * unicode.org under Public/security, and in ICU's source as source/data/unidata/confusables.txt (Debian: the source
 * package icu, 78.3-2). A new Node with a newer Unicode wants a new table; a test says so.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OUT = join(import.meta.dirname, '../../src/text/confusables.json');
/** `0441 ;	0063 ;	MA	# …`: a code point, and the text that it resembles. */
const LINES = /^\uFEFF?([0-9A-F]{4,6}) ;\t([0-9A-F ]+?) ;/gm;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('which file? (see the head of this script)');
const text = readFileSync(file, 'utf8');
const version = /^# Version: (\S+)$/m.exec(text)?.[1];
if (version === undefined) throw new Error(`${file} is not Unicode's confusables.txt`);

const lines = [...text.matchAll(LINES)];
const byPrototype = Object.groupBy(lines, ([, , prototype = '']) => prototype);
const table = {
  notice:
    'Made of confusables.txt by scripts/unicode/make-confusables.ts. © Unicode, Inc.; terms of use: https://www.unicode.org/terms_of_use.html',
  version,
  // Confusable code points by prototype, in hexadecimal digits.
  prototypes: Object.fromEntries(
    Object.entries(byPrototype).map(([key, found = []]) => [
      key,
      found.map(([, source]) => source).join(' '),
    ]),
  ),
};
writeFileSync(OUT, `${JSON.stringify(table, undefined, 2)}\n`);
process.stdout.write(`${lines.length} code points of Unicode ${version}\n`);
