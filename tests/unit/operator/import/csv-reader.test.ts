import { describe, expect, it } from 'vitest';
import { CsvReader } from '#src/operator/import/csv-reader.ts';
import { FileFormatError, splitRecords } from '#src/operator/import/split-records.ts';

const RECORD_MAX_BYTES = 4 * 1024 * 1024;
const ID = '280864204968068869';
const HEADER = 'id,name,reason,verified';
const QUOTES = 'is not valid CSV: quotation marks stand around a whole cell, and twice inside of it';
const COLUMNS = 'id, name, reason, verified, reportedAt, verifiedAt, account, accountSince, reportId, views';
const row = (id: string, verified = 'true'): string => `${id},nick,Powód,${verified}`;

async function read(input: string | readonly (string | Buffer)[], takesRounded = false): Promise<unknown[]> {
  const found: unknown[] = [];
  const chunks = typeof input === 'string' ? [input] : input;
  async function* bytesOf(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const reader = new CsvReader('scammers', takesRounded);
  try {
    for await (const { line, bytes, problem } of splitRecords(bytesOf(), 'csv')) {
      if (problem !== undefined) found.push([line, problem]);
      const checked = problem === undefined ? reader.readRow(bytes.toString(), line) : undefined;
      if (checked?.ok) found.push([line, checked.record]);
      else if (checked)
        found.push([line, ...checked.problems.map(({ field, problem: what }) => `${field}: ${what}`)]);
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    found.push([error.line, error.message]);
  }
  return found;
}

describe('rows', () => {
  const full = { id: ID, name: 'Ala; "x", y', reason: 'Raz,\nżółw 🐢\r\n\ntrzy', verified: false, reportedAt: 1_600_000_000_000, views: 7 }; // prettier-ignore

  it.each([
    [',', '\n'],
    [';', '\r\n'],
  ])('separated by %s, ended by %j, with what quotes hold', async (delimiter, end) => {
    const cells = ['"7"', '"Ala; ""x"", y"', '"Raz,\nżółw 🐢\r\n\ntrzy"', ID, 'nie', '1600000000000', ''];
    const plain = ['', 'b', 'B', '280864204968068871', 'TAK', '2020-09-13', 'R-1'];
    const text = ['views,name,reason,id,verified,reportedAt,reportId'.replaceAll(',', delimiter), cells.join(delimiter), '', plain.join(delimiter), delimiter.repeat(6)].join(end); // prettier-ignore
    const expected = [
      [2, full],
      [7, { id: '280864204968068871', name: 'b', reason: 'B', verified: true, reportedAt: 1_599_955_200_000, reportId: 'R-1' }], // prettier-ignore
    ];
    expect(await read(`\uFEFF${text}`)).toEqual(expected);
    const bytes = Array.from(Buffer.from(`${text}${end}`), (byte) => Buffer.from([byte]));
    expect(await read(bytes)).toEqual(expected);
  });

  it('take these words for booleans', async () => {
    const rows = 'true 1 tak False 0 nie'.split(' ').map((word) => row(ID, word));
    const found = await read([HEADER, ...rows].join('\n'));
    expect(found).toMatchObject([2, 3, 4, 5, 6, 7].map((line) => [line, { verified: line < 5 }]));
  });

  it.each([
    [row(ID, 'prawda'), 'verified: must be true, false, 1, 0, tak or nie'],
    [row(ID, ''), 'verified: is missing; true or false is needed'],
    [`${ID},,Powód,1`, 'name: is missing; a string is needed'],
    [`${ID},nick,1`, ': has 3 cells, and the header 4'],
    [`${row(ID)},,`, ': has 6 cells, and the header 4'],
    [`${ID},"a"b,"Powód",1`, `: ${QUOTES}`],
  ])('are refused: %s', async (bad, problem) => {
    expect(await read(`${HEADER}\n${bad}\n${row(ID)}`)).toEqual([
      [2, problem],
      [3, expect.objectContaining({ id: ID })],
    ]);
  });

  const asNumbers = ['2,80864E+17', `${ID}.0`, '280.864.204.968.068.869'];
  it.each(asNumbers)('are refused with the number %s as an ID', async (id) => {
    const problem = 'id: was made a number by a spreadsheet; format the column as text, and fill in the IDs again'; // prettier-ignore
    expect(await read(`${HEADER}\n${row(`"${id}"`)}`)).toEqual([[2, problem]]);
  });

  it('are refused with rounded IDs, unless they are said to be right', async () => {
    const rounded = [0, 1, 2, 3].map((zeros) => `28086420496806800${'0'.repeat(zeros)}`);
    const text = [HEADER, ...[...rounded, '280864204968068100'].map((id) => row(id))].join('\n');
    const problem = expect.stringMatching(/^id: ends as if a spreadsheet had rounded it; format the column as text.* --odd-id/) as string; // prettier-ignore
    expect((await read(text)).slice(0, 4)).toEqual([2, 3, 4, 5].map((line) => [line, problem]));
    for (const found of [(await read(text))[4], ...(await read(text, true))])
      expect(found).toEqual([expect.any(Number), expect.objectContaining({ name: 'nick' })]);
  });

  it('that are too long are left out, in bounded memory, and others go on', async () => {
    const long = `${ID},nick,"${'x\n'.repeat(RECORD_MAX_BYTES / 2)}",1`;
    expect(await read([HEADER, '\n', long, '\n', row(ID)])).toEqual([
      [2, 'the record is longer than 4194304 bytes'],
      [3 + RECORD_MAX_BYTES / 2, expect.objectContaining({ id: ID })],
    ]);
  });
});

it.each([
  ['id,name,reason,verified,proofs', 1, `unknown column "proofs"; allowed are ${COLUMNS}`],
  ['\n\nid,Nick', 3, `unknown column "Nick"; allowed are ${COLUMNS}`],
  ['id;name;id', 1, 'the column id is there twice'],
  ['id;"na"me', 1, QUOTES],
  [`${HEADER}\n${ID},"nick,Powód,1\n${row(ID)}`, 2, 'a quotation mark is not closed'],
])('the file is refused: %j', async (text, line, problem) => {
  expect(await read(text)).toEqual([[line, problem]]);
});

it('a file of a header has no records', async () => {
  expect(await read(`${HEADER}\r\n`)).toEqual([]);
});
