import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileFormatError, splitRecords } from '#src/operator/import/split-records.ts';

const BOM = '\uFEFF';
const RECORD_MAX_BYTES = 4 * 1024 * 1024;

/** Everything that comes out of these chunks; outer white space of a record is the JSON parser's business. */
async function cut(...chunks: (string | Buffer)[]) {
  const records: { line: number; text: string }[] = [];
  async function* input(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  try {
    for await (const { line, bytes, problem } of splitRecords(input())) {
      records.push({ line, text: problem ?? bytes.toString('utf8').trim() });
    }
    return { records };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    return { records, error: { line: error.line, message: error.message } };
  }
}

describe('NDJSON', () => {
  it('takes CRLF, counts empty lines and leaves them out', async () => {
    const { records } = await cut('\r\n{"a":1}\r\n\r\n  \t\r\n{"a":2}\r\n\r\n');
    expect(records).toEqual([
      { line: 2, text: '{"a":1}' },
      { line: 5, text: '{"a":2}' },
    ]);
  });

  it('cuts at newlines only, whatever the line holds', async () => {
    const { records } = await cut('{"a":"\\n]["}\nno JSON at all\n[1,2]\n');
    expect(records.map(({ text }) => text)).toEqual(['{"a":"\\n]["}', 'no JSON at all', '[1,2]']);
  });

  it('names a record over 4 MiB and goes on behind it, whether or not its end has come', async () => {
    const long = `{"reason":"${'x'.repeat(RECORD_MAX_BYTES)}"}`;
    const text = 'the record is longer than 4194304 bytes';
    const { records } = await cut('{"a":1}\n', long, 'x'.repeat(100), `\n{"a":3}\n\n${long}`);
    expect(records).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 2, text },
      { line: 3, text: '{"a":3}' },
      { line: 5, text },
    ]);
  });

  it('takes a record of 4 MiB exactly', async () => {
    const record = `"${'x'.repeat(RECORD_MAX_BYTES - 2)}"`;
    const { records } = await cut(`${record}\n${record}`);
    expect(records.map(({ text }) => text === record)).toEqual([true, true]);
  });
});

describe('a JSON array', () => {
  it('hands items without a comma between them on as one, which is no JSON', async () => {
    const { records } = await cut('[{"a":1} {"a":2}]');
    expect(records).toEqual([{ line: 1, text: '{"a":1} {"a":2}' }]);
  });

  it.each([
    ['truncated inside an item', '[{"a":1},\n{"a"', 2, 'not closed'],
    ['truncated inside a string', '[{"a":1},\n{"a":"]', 2, 'not closed'],
    ['with a trailing comma', '[{"a":1},\n]', 2, 'a record is missing beside a comma'],
    ['with a second array behind its end', '[{"a":1}]\n[{"a":2}]', 2, 'something after the end of the array'],
    ['with a bracket too many', '[{"a":1},\n{"a":2}},{"a":3}]', 2, 'was never opened'],
    ['with a comma at its beginning', '[,{"a":1}]', 1, 'a record is missing beside a comma'],
  ])('is refused when it is %s', async (_name, text, line, message) => {
    const { records, error } = await cut(text);
    expect(records.slice(0, 1)).toEqual(line === 1 ? [] : [{ line: 1, text: '{"a":1}' }]);
    expect(error).toEqual({ line, message: expect.stringContaining(message) as string });
  });

  it('is refused at an item over 4 MiB, with the line that the item begins in', async () => {
    const { records, error } = await cut(`[{"a":1},\n{"a":\n"${'x'.repeat(RECORD_MAX_BYTES)}"},{"a":3}]`);
    expect(records).toHaveLength(1);
    expect(error).toEqual({ line: 2, message: expect.stringContaining('longer than') as string });
  });
});

it.each([[], [''], [`${BOM} \t\r\n`], ['[]'], [' [ \n ] \n']])('has no records: %j', async (...chunks) => {
  expect(await cut(...chunks)).toEqual({ records: [] });
});

it('input is refused when white space does not end', async () => {
  const { error } = await cut(' '.repeat(800_000), ' '.repeat(400_000));
  expect(error?.message).toContain('white space only');
});

it('chunks and layout make no difference to records and lines', async () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
  const documentOf = fc.record({
    values: fc.array(fc.tuple(space, fc.jsonValue({ maxDepth: 3 }), space), { maxLength: 8 }),
    isArray: fc.boolean(),
    hasMark: fc.boolean(),
    newline: fc.constantFrom('\n', '\r\n'),
    indent: fc.nat({ max: 2 }),
    cuts: fc.array(fc.nat({ max: 300 }), { maxLength: 12, size: 'max' }),
  });
  await fc.assert(
    fc.asyncProperty(documentOf, async ({ values, isArray, hasMark, newline, indent, cuts }) => {
      const expected: { line: number; value: unknown }[] = [];
      let text = '';
      const lineNow = (): number => text.split('\n').length;
      if (isArray) text += '[';
      for (const [index, [before, value, after]] of values.entries()) {
        if (isArray && index > 0) text += ',';
        // A line that begins with a bracket at the very beginning of the file would be an array.
        const item = isArray ? value : { value };
        text += isArray ? before : before.replaceAll(/[\r\n]/g, '');
        expected.push({ line: lineNow(), value: item });
        text += isArray
          ? `${JSON.stringify(item, null, indent).replaceAll('\n', newline)}${after}`
          : `${JSON.stringify(item)}${newline}`;
      }
      if (isArray) text += ']';
      const bytes = Buffer.from(`${hasMark ? BOM : ''}${text}`);
      const places = [...new Set(cuts.map((at) => Math.min(at, bytes.length)))].sort((a, b) => a - b);
      const chunks = [0, ...places].map((at, index) => bytes.subarray(at, places[index] ?? bytes.length));
      const { records, error } = await cut(...chunks);
      expect(error).toBeUndefined();
      const read = records.map(({ line, text }) => ({ line, value: JSON.parse(text) as unknown }));
      expect(read).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 400 },
  );
});
