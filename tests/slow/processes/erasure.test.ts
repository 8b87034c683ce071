/** After a removal nothing of the person is left: not in the database file, its WAL, nor in any file beside it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { identifyFile, openDatabase, type Database } from '#src/db/database.ts';
import { makeCopy } from '#src/db/migration-copy.ts';
import { eraseRemoved } from '#src/removals/erase-removed.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { removeEntry } from '../../support/change-log.ts';
import { findInFiles } from '../../support/find-in-files.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeImage, METADATA_MARKER } from '../../support/make-image.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const MARK = 'Znacznik7f3a';
const ID = '777000777000777000';
const ON = ['--list', 'scammers'] as const;

/** An operator with entries on many pages of the file, one of which is marked in every field. */
async function operatorWithMarkedEntry(): Promise<Operator> {
  const operator = await makeMigratedCommandLine();
  const image = makeImage()
    .jpeg()
    .withExif({ IFD0: { Artist: METADATA_MARKER } });
  operator.file('marked.jpg', await image.toBuffer());
  const others = Array.from({ length: 120 }, (_, index) =>
    makeRecord({ reason: `Powód ${index}. `.repeat(1 + (index % 40)) }),
  );
  const reportId = 'R-MARKED0000';
  const marked = makeRecord({
    id: ID,
    reportId,
    name: `${MARK} imię`,
    reason: `${MARK} `.repeat(600),
    proofs: {
      private: false,
      items: [
        { text: `${MARK} dowód`, caption: `${MARK} podpis`, url: `https://example.com/${MARK}` },
        { file: 'marked.jpg' },
      ],
    },
  });
  await operator.fill('scammers', ...others.slice(0, 60), marked, ...others.slice(60));
  const edit = ['entry', 'edit', ID, ...ON, '--name', `${MARK} inaczej`, '--reason', `${MARK} krótko`];
  await operator.succeed(...edit);
  await operator.succeed('entry', 'note', ID, `${MARK} notatka`);
  await operator.succeed('appeal', 'open', reportId);
  await operator.succeed('appeal', 'uphold', reportId, '--note', `${MARK} decyzja`);
  const db = openDatabase(operator.databasePath, 'write');
  await updateIndexes(db);
  // As an update leaves it.
  makeCopy(db, '0001_schema');
  db.close();
  return operator;
}

/** Finds something of the marked entry in the files under data/. */
function findTraces(operator: Operator, marks = [MARK, MARK.toLowerCase(), ID, METADATA_MARKER]): string[] {
  return findInFiles(join(operator.folder, 'data'), marks);
}

it('entry remove leaves no trace of name, ID, text or proof', async () => {
  const operator = await operatorWithMarkedEntry();
  expect(findTraces(operator).length).toBeGreaterThan(1);
  // Somebody reads all the while, as the web process does.
  const reader = openDatabase(operator.databasePath, 'read');
  const removal = { list: 'scammers', id: ID, removed: true, alsoIn: [], reason: 'request' };
  expect(await operator.json('entry', 'remove', ID, ...ON, '--reason', 'request')).toEqual(removal);
  expect(findTraces(operator)).toEqual([]);
  expect(existsSync(join(operator.folder, 'data/proofs/originals'))).toBe(true);
  expect(reader.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  reader.close();
});

it('entry edit --forget-names leaves no trace of the names before', async () => {
  const operator = await operatorWithMarkedEntry();
  await operator.succeed('entry', 'edit', ID, ...ON, '--name', 'ktoś', '--reason', 'Inny powód.');
  await operator.succeed('proofs', 'remove', ID, ...ON, '--all');
  await operator.succeed('entry', 'note', ID, '--remove', '1');
  await operator.succeed('appeal', 'uphold', 'R-MARKED0000', '--note', 'inaczej', '--replace');
  const marks = [MARK, MARK.toLowerCase()];
  expect(findTraces(operator, marks)).not.toEqual([]);
  await operator.succeed('entry', 'edit', ID, ...ON, '--forget-names');
  expect(findTraces(operator, marks)).toEqual([]);
});

it('entry edit --redact leaves no trace of the note of an appeal', async () => {
  const operator = await operatorWithMarkedEntry();
  const redact = ['--redact', '--name', 'ktoś', '--reason', 'Inny powód.'];
  await operator.succeed('entry', 'edit', ID, ...ON, ...redact);
  expect(findTraces(operator, [MARK, MARK.toLowerCase()])).toEqual([]);
});

/** Letters that no other entry has, and that folding leaves as they are. */
const LETTERS = { name: 'ⴰⴱⴲⴳⴴⴵ', before: 'ᚠᚢᚦᚨᚱᚲ', after: 'ᛇᛈᛉᛊᛏᛒ', proof: 'ꔀꔁꔂꔃ' };
const MARKED = '888000888000888000';

/** Finds the texts in every file beside the database and in the full-text tables. */
function findLetters(db: Database): string[] {
  const marks = Object.values(LETTERS).flatMap((letters) => {
    const points = [...letters];
    const pairs = points.slice(1).map((letter, at) => `${points[at]}${letter}`);
    // A word of the short pieces, without the beginning that words in order have in common.
    return [...pairs, ...points.map((letter) => `z${letter.codePointAt(0)?.toString(16)}`)];
  });
  const found = findInFiles(dirname(db.path), [...marks, MARKED]);
  const path = searchPath(db.path);
  if (identifyFile(path) !== undefined) {
    const file = openSearchFile(path, 'read');
    file.connection.exec(`CREATE VIRTUAL TABLE temp.pieces_terms USING fts5vocab ('main', 'pieces', 'row');
      CREATE VIRTUAL TABLE temp.letters_terms USING fts5vocab ('main', 'letters', 'row')`);
    const terms = file.connection
      .prepare('SELECT term FROM temp.pieces_terms UNION ALL SELECT term FROM temp.letters_terms')
      .pluck()
      .all() as string[];
    file.close();
    const letters = Object.values(LETTERS).flatMap((word) => [...word]);
    const marked = [...letters, ...letters.map((letter) => letter.codePointAt(0)?.toString(16) ?? '')];
    found.push(
      ...terms.filter((term) => marked.some((mark) => term.includes(mark))).map((term) => `term ${term}`),
    );
  }
  return found;
}

it('a removed entry, edited since search.db was made, leaves nothing of itself in it', async () => {
  const bring = (...records: Parameters<typeof makeRecord>[0][]): Promise<void> =>
    importRecords(db, 'scammers', records.map(makeRecord), Date.now());
  // Fixed report numbers: they decide where SQLite puts rows, and it leaves copies of rows that it moves (1 of 80 runs)
  // until the file is rebuilt.
  const others = (series: string) =>
    Array.from({ length: 60 }, (_, at) => ({
      reportId: `R-${series}${at}`,
      reason: `Powód ${at}: ${'konto kupione '.repeat(1 + (at % 9))}`,
    }));
  const marked = (text: string) => ({
    id: MARKED,
    reportId: 'R-marked',
    name: `${LETTERS.name} nick`,
    reason: `Powód ${text}.`,
    proofs: { private: false, items: [{ text: LETTERS.proof }] },
  });
  using db = await makeDatabase();
  await bring(...others('A'), marked(LETTERS.before), ...others('B'));
  await updateIndexes(db);
  await bring(marked(LETTERS.after));
  expect(findLetters(db).length).toBeGreaterThan(5);
  removeEntry(db, 'scammers', MARKED, 'request', Date.now());
  await updateIndexes(db);
  expect(await eraseRemoved(db)).toBe(1);
  expect(findLetters(db)).toEqual([]);
});
