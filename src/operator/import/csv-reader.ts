/** Reads a CSV file, whose first row names fields of the import format; splitRecords has cut the rows. */
import { CsvError, parse } from 'csv-parse/sync';
import {
  parseImportRecord,
  RECORD_SHAPE,
  rejectRecord,
  type CheckedRecord,
} from '../../entries/import-record.ts';
import type { ListKind } from '../../entries/entry.ts';
import { shorten } from '../../text/shorten.ts';
import { FileFormatError } from './split-records.ts';

const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, tak: true, false: false, 0: false, nie: false }),
);
/** With an exponent or separators. */
const NUMBER = /^[+-]?\d[\d.,]*[.,E][\d+-]*$/i;
/** Spreadsheets keep 15 digits of a number. */
const ROUNDED = /^[1-9]\d{14}0{2,5}$/;
const AS_TEXT = 'format the column as text, and fill in the IDs again';
const BAD_QUOTES = 'is not valid CSV: quotation marks stand around a whole cell, and twice inside of it';

type CellKind = 'boolean' | 'number' | 'text';

/** Proofs have no cell. */
const COLUMNS: ReadonlyMap<string, CellKind> = new Map(
  Object.entries(RECORD_SHAPE)
    .filter(([field]) => field !== 'proofs')
    .map(([field, schema]) => {
      const takes = (value: unknown): boolean => schema.safeParse(value).success;
      return [field, takes(true) ? 'boolean' : takes(1) ? 'number' : 'text'];
    }),
);

export class CsvReader {
  readonly #list: ListKind;
  readonly #takesRounded: boolean;
  #delimiter = '';
  #columns: readonly string[] = [];

  /** @param takesRounded IDs as a spreadsheet rounds them */
  constructor(list: ListKind, takesRounded: boolean) {
    this.#list = list;
    this.#takesRounded = takesRounded;
  }

  /** @returns undefined for header and empty rows @throws {FileFormatError} for a wrong header */
  readRow(text: string, line: number): CheckedRecord | undefined {
    const isHeader = this.#delimiter === '';
    if (isHeader) this.#delimiter = text.includes(';') ? ';' : ',';
    const cells = readCells(text, this.#delimiter);
    if (isHeader) {
      this.#columns = checkHeader(cells, line);
      return undefined;
    }
    if (!cells) return rejectRecord('', BAD_QUOTES);
    if (cells.every((cell) => cell === '')) return undefined;
    if (cells.length !== this.#columns.length)
      return rejectRecord('', `has ${cells.length} cells, and the header ${this.#columns.length}`);
    const record: Record<string, unknown> = {};
    for (const [at, column] of this.#columns.entries()) {
      const cell = cells[at] ?? '';
      if (cell === '') continue;
      const kind = COLUMNS.get(column);
      const problem = column === 'id' ? findSpreadsheetProblem(cell, this.#takesRounded) : undefined;
      if (problem !== undefined) return rejectRecord(column, problem);
      if (kind === 'boolean' && !BOOLEANS.has(cell.toLowerCase()))
        return rejectRecord(column, 'must be true, false, 1, 0, tak or nie');
      if (kind === 'boolean') record[column] = BOOLEANS.get(cell.toLowerCase());
      else record[column] = kind === 'number' && /^\d+$/.test(cell) ? Number(cell) : cell;
    }
    return parseImportRecord(record, this.#list);
  }
}

/** @returns undefined for wrong quotation marks */
function readCells(text: string, delimiter: string): readonly string[] | undefined {
  try {
    return parse(text.replace(/\r$/, ''), { delimiter, record_delimiter: '\n' })[0];
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** @throws {FileFormatError} */
function checkHeader(columns: readonly string[] | undefined, line: number): readonly string[] {
  if (!columns) throw new FileFormatError(line, BAD_QUOTES);
  for (const [at, column] of columns.entries()) {
    if (!COLUMNS.has(column))
      throw new FileFormatError(
        line,
        `unknown column ${JSON.stringify(shorten(column))}; allowed are ${[...COLUMNS.keys()].join(', ')}`,
      );
    if (columns.indexOf(column) !== at)
      throw new FileFormatError(line, `the column ${column} is there twice`);
  }
  return columns;
}

function findSpreadsheetProblem(id: string, takesRounded: boolean): string | undefined {
  if (NUMBER.test(id)) return `was made a number by a spreadsheet; ${AS_TEXT}`;
  if (ROUNDED.test(id) && !takesRounded)
    return `ends as if a spreadsheet had rounded it; ${AS_TEXT}. --odd-id says that this is meant`;
  return undefined;
}
