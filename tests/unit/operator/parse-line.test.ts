import { expect, it } from 'vitest';
import { parseLine } from '#src/operator/batch-protocol.ts';

const LONG = 'x'.repeat(5_000);
const parse = (json: string): unknown => parseLine(Buffer.from(json));

it.each([
  { tag: 0, args: ['a', LONG, `ą\\"${LONG}"\n`], files: {} },
  { args: [`${LONG}\\`, '\\', '"'] },
  [LONG, 'ą'],
  'x',
  null,
])('reads what JSON.parse reads', (value) => {
  expect(parse(JSON.stringify(value))).toEqual(value);
});

it('leaves long files as bytes of the line', () => {
  const line = Buffer.from(JSON.stringify({ files: { a: LONG, b: 'x' }, tag: 0 }));
  const { files, tag } = parseLine(line) as { files: Record<string, Buffer>; tag: number };
  expect(files).toEqual({ a: Buffer.from(LONG), b: 'x' });
  expect(files['a']?.buffer).toBe(line.buffer);
  expect(tag).toBe(0);
});

it.each([
  ...['', '{', '"a', `{"args":["${LONG}`, `{"args":["${LONG}\\"]}`, `{"${LONG}":1}`, '{"args":["\\x"]}'],
  // No UTF-8.
  Buffer.from([0x22, 0xff, 0x22]),
])('knows no JSON: %.20s', (line) => {
  expect(parseLine(Buffer.from(line))).toBeUndefined();
});
