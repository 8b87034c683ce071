import { readFileSync, statSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRemovedFile, removedPath } from '#src/removals/removed-file.ts';
import { undoPath } from '#src/changes/undo-file.ts';
import { openDatabase } from '#src/db/database.ts';
import { planUndo, undoImport } from '#src/operator/import/undo-import.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { exported, PNG, publicPictures, storedProofFiles } from '../../support/stored-entries.ts';

const ON = ['--list', 'scammers'] as const;
const IDS = Array.from({ length: 15 }, (_, index) => `2808642049680688${String(index).padStart(2, '0')}`);
const [FIRST = '', SECOND = '', THIRD = ''] = IDS;
const NEW = '280864204968069999';
const RECORDS = IDS.map((id, index) => makeRecord({ id, name: `nick ${index}`, reason: `Powód ${index}.`, reportId: `R-${index}`, reportedAt: '2020-01-01' })); // prettier-ignore
const WRONG = RECORDS.map((record) => ({ ...record, reason: 'Zły opis.' }));

async function makeWith(): Promise<Operator> {
  const operator = await makeMigratedCommandLine();
  operator.file('shot.png', PNG);
  const proofs = { private: false, items: [{ file: 'shot.png', caption: 'Rozmowa' }, { text: 'dowód' }] };
  await operator.fill('scammers', { ...(RECORDS[0] as object), proofs } as never, ...RECORDS.slice(1));
  return operator;
}

const readAll = (operator: Operator) => Promise.all(IDS.map((id) => exported(operator, id)));

it('import --dry-run says what would change, and changes nothing', async () => {
  const operator = await makeWith();
  const before = await readAll(operator);
  const records = [...WRONG.slice(0, 12), { ...RECORDS[12], name: 'inny' }, makeRecord()];
  const file = operator.file('in.ndjson', records);
  const { stdout } = await operator.run(['import', file, ...ON, '--dry-run']);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'would add 1, update 13, leave 0 unchanged, reject 0',
    'updated by field: name 1, reason 12',
    'largest changes:',
    expect.stringMatching(/^  28\d+ "nick \d+": reason \(reason: \d+ to 9 characters\)$/),
  ]);
  expect(await readAll(operator)).toEqual(before);
});

describe('an import that replaces many texts or brings people back', () => {
  it.each([['wrong.ndjson'], ['-']])('is refused without --yes: %s', async (name) => {
    const operator = await makeWith();
    const before = await readAll(operator);
    operator.file('wrong.ndjson', WRONG);
    const input = WRONG.map((record) => JSON.stringify(record)).join('\n');
    const question =
      'this import replaces the texts of 15 entries by others; nothing was changed. Look at it with --dry-run, then say --yes\n';
    const refused = { code: 1, stdout: '', stderr: question };
    expect(await operator.run(['import', name, ...ON], { input })).toEqual(refused);
    expect(await readAll(operator)).toEqual(before);
    expect((await operator.run(['import', name, ...ON, '--yes'], { input })).code).toBe(0);
  });

  it('is refused for what was redacted, made private or removed from the proofs', async () => {
    const operator = await makeWith();
    const proofs = (text: string) => ({ private: false, items: [{ text }] });
    const old = [FIRST, SECOND, THIRD].map((id, index) => ({ ...(RECORDS[index] as object), id, proofs: proofs('dowód') })); // prettier-ignore
    const file = operator.file('old.ndjson', old);
    await operator.succeed('import', file, ...ON);
    await operator.succeed('entry', 'edit', FIRST, ...ON, '--redact', '--reason', 'Bez danych.');
    await operator.succeed('proofs', 'private', SECOND, ...ON);
    await operator.succeed('entry', 'edit', THIRD, ...ON, '--redact', '--name', 'ktoś');
    const before = await readAll(operator);
    const notes = [`${FIRST}: proofs of it were removed (DAY), and the file has others`, `${FIRST}: its reason was redacted (DAY), and the file has others`, `${SECOND}: its proofs were made private (DAY), and the file has public ones`, `${THIRD}: its name was redacted (DAY), and the file has others`, `${THIRD}: proofs of it were removed (DAY), and the file has others`]; // prettier-ignore
    for (const more of [[], ['--dry-run'], ['--json']]) {
      const { code, stdout, stderr } = await operator.run(['import', file, ...ON, ...more]);
      const isDry = more[0] === '--dry-run';
      const lines = stderr.replace(/20\d\d-\d\d-\d\d/g, 'DAY').split('\n');
      expect(lines.slice(0, 5)).toEqual(notes.map((text) => `note: ${text}`));
      expect(code).toBe(isDry ? 0 : 1);
      const asked = /this import writes what was redacted or hidden in 3 entries again; nothing was changed/;
      if (!isDry) expect(more[0] === '--json' ? stdout : lines[5]).toMatch(asked);
      if (more[0] === '--json') expect(stdout).toContain('"code":"needs_yes"');
    }
    expect(await readAll(operator)).toEqual(before);
    await operator.succeed('import', file, ...ON, '--yes');
  });
});

it('takes back what was replaced and added, proofs included', async () => {
  const operator = await makeWith();
  const before = await readAll(operator);
  const [first, ...rest] = WRONG;
  const withoutProofs = { ...first, proofs: { private: false, items: [] } };
  const file = operator.file('wrong.ndjson', [withoutProofs, ...rest, makeRecord({ id: NEW })]);
  expect(await operator.succeed('import', file, ...ON, '--yes')).toBe(
    'added 1, updated 15, unchanged 0, rejected 0\n"import --undo=1" takes this back for 30 days\n',
  );
  const input = JSON.stringify(makeRecord());
  await operator.run(['--by', 'anna', 'import', '-', '--list', 'servers'], { input });
  expect(await operator.succeed('import', '--list-undo')).toMatch(
    /^1 \(wrong\.ndjson into scammers, 20\S+Z, added 1, updated 15\)\n2 \(servers, 20\S+Z, by anna, added 1, updated 0\)\n$/,
  );
  await operator.succeed('import', '--undo', '--yes');
  const counts = { import: 1, list: 'scammers', added: 1, updated: 15 };
  expect(await operator.json('import', '--list-undo')).toEqual([
    { ...counts, at: expect.any(String) as string, by: null, file: 'wrong.ndjson' },
  ]);
  expect(statSync(undoPath(operator.databasePath)).mode & 0o777).toBe(0o600);
  expect(await operator.succeed('import', '--undo=1', '--yes')).toBe(
    'import 1 into scammers is taken back: removed 1, changed back 15\n',
  );
  expect(await readAll(operator)).toEqual(before);
  expect((await operator.run(['entry', 'show', NEW])).code).toBe(1);
  expect(await operator.fail('import', '--undo=1')).toMatch(
    /^import 1 was taken back at .* already; none can be taken back\n$/,
  );
  expect(await operator.succeed('import', '--list-undo')).toBe('no import can be taken back\n');
});

it('says before what it does, and removes nothing without --yes', async () => {
  const operator = await makeWith();
  await operator.succeed('import', operator.file('in.ndjson', [WRONG[0] as object, makeRecord({ id: NEW, reportId: 'R-NEW' })]), ...ON, '--yes'); // prettier-ignore
  await operator.succeed('import', operator.file('in.ndjson', [WRONG[1] as object]), ...ON);
  const before = await readAll(operator);
  expect(await operator.succeed('import', '--undo=1', '--dry-run')).toMatch(
    /^taking back import 1 into scammers \(20\S+Z\) removes 1 entry and changes 1 back\nremoved: R-NEW\nchanged back: R-0\n$/,
  );
  expect(await operator.json('import', '--undo=1', '--dry-run')).toEqual({
    import: 1,
    list: 'scammers',
    dryRun: true,
    removes: ['R-NEW'],
    changesBack: ['R-0'],
    skipped: [],
  });
  expect(await operator.fail('import', '--undo=1')).toMatch(
    /^taking back import 1 into scammers .* back; nothing was changed\. Look at it with --dry-run, then say --yes\n$/,
  );
  expect(await readAll(operator)).toEqual(before);
  expect((await operator.run(['import', '--undo'])).stderr).toMatch(
    /^note: taking back import 2 into scammers \(20\S+Z\) removes 0 entries and changes 1 back\n$/,
  );
});

it('goes on where it was ended', async () => {
  const operator = await makeWith();
  const added = Array.from({ length: 900 }, () => makeRecord());
  await operator.succeed('import', operator.file('in.ndjson', [...WRONG, ...added]), ...ON, '--yes');
  using db = openDatabase(operator.databasePath, 'write');
  const stop = new AbortController();
  let steps = 0;
  const ended = undoImport(db, planUndo(db, undefined), {
    now: Date.now(),
    signal: stop.signal,
    // The second step removes.
    onStep: () => ++steps === 2 && stop.abort(),
  });
  await expect(ended).rejects.toThrow(
    /^ended: 15 of 15 entries are changed back, \d+ of 900 removed; run "import --undo=1" again to go on$/,
  );
  await operator.succeed('entry', 'edit', FIRST, ...ON, '--name', 'od tej pory');
  const { stdout, stderr } = await operator.run(['import', '--undo', '--yes']);
  expect(stderr).toMatch(/ and changes 0 back; an undo that was ended took back \d+ before\n$/);
  expect(stdout).toBe('import 1 into scammers is taken back: removed 900, changed back 15\n');
  expect(await exported(operator, FIRST)).toMatchObject({ name: 'od tej pory' });
  expect(await operator.succeed('export', ...ON)).toMatch(/^(.*\n){15}$/);
});

it('leaves removed people removed as they were, and takes the right file later', async () => {
  const operator = await makeWith();
  await operator.succeed('entry', 'remove', FIRST, ...ON, '--reason', 'appeal');
  const removed = () => operator.read((db) => db.statement("SELECT * FROM tombstones WHERE report_id = 'R-0'").get()); // prettier-ignore
  const before = removed();
  const added = makeRecord({ id: NEW, reportId: 'R-NEW', name: 'osoba z pliku' });
  const file = operator.file('wrong.ndjson', [RECORDS[0] as object, added]);
  await operator.succeed('import', file, ...ON, '--yes', '--by', 'ewa');
  await operator.succeed('import', '--undo', '--yes');
  expect(removed()).toEqual(before);
  const listed = readRemovedFile(removedPath(operator.databasePath));
  expect(listed.map(({ what }) => what)).toEqual(['returned', 'entry']);
  expect(await operator.succeed('entry', 'show', 'R-0')).toMatch(
    /added \(import\), by ewa\n.* removed \(undo\): appeal/,
  );
  const right = operator.file('right.ndjson', [added]);
  const { stdout, stderr } = await operator.run(['import', right, ...ON]);
  expect([stdout, stderr]).toEqual(['added 1, updated 0, unchanged 0, rejected 0\n', '']);
});

it('leaves what was changed or withdrawn since, and erases it from its record', async () => {
  const operator = await makeWith();
  const added = [makeRecord({ id: NEW, reportId: 'R-NEW' }), makeRecord({ reportId: 'R-NOTED' })];
  const file = operator.file('wrong.ndjson', [...WRONG, ...added]);
  await operator.succeed('import', file, ...ON, '--yes');
  await operator.succeed('entry', 'edit', FIRST, ...ON, '--reason', 'Poprawiony.');
  await operator.succeed('entry', 'edit', SECOND, ...ON, '--redact', '--reason', 'Bez danych.');
  await operator.succeed('entry', 'remove', THIRD, ...ON, '--reason', 'appeal');
  await operator.succeed('entry', 'edit', NEW, ...ON, '--name', 'został');
  await operator.succeed('entry', 'note', 'R-NOTED', 'rozmawiam z tą osobą');
  const report = await operator.json<{ skipped: string[] }>('import', '--undo');
  expect(report).toMatchObject({ import: 1, removed: 0, changedBack: 12 });
  expect(report.skipped.map((name) => (name.startsWith('R-') ? name : '_id')).sort()).toEqual(['R-0', 'R-1', 'R-NEW', 'R-NOTED', '_id']); // prettier-ignore
  expect(await operator.succeed('entry', 'show', 'R-NOTED')).toContain('rozmawiam z tą osobą');
  expect(await exported(operator, FIRST)).toMatchObject({ reason: 'Poprawiony.' });
  expect(await exported(operator, SECOND)).toMatchObject({ reason: 'Bez danych.' });
});

it('leaves an entry that gets a note while the operator is asked', async () => {
  const operator = await makeMigratedCommandLine();
  const file = operator.file('in.ndjson', [makeRecord({ reportId: 'R-NOTED' })]);
  await operator.succeed('import', file, ...ON);
  using db = openDatabase(operator.databasePath, 'write');
  const plan = planUndo(db, 1);
  await operator.succeed('entry', 'note', 'R-NOTED', 'rozmawiam z tą osobą');
  const { signal } = new AbortController();
  expect(await undoImport(db, plan, { now: Date.now(), signal, onStep: () => {} })).toMatchObject({
    removed: 0,
    skipped: ['R-NOTED'],
  });
});

it('takes back what an import wrote that also made proofs private', async () => {
  const operator = await makeWith();
  const before = await readAll(operator);
  const pictures = publicPictures(operator).length;
  const hidden = { ...WRONG[0], name: 'zły', proofs: { private: true, items: [{ text: 'inny' }] } };
  await operator.succeed('import', operator.file('wrong.ndjson', [hidden]), ...ON);
  expect(publicPictures(operator)).toEqual([]);
  expect(await operator.succeed('import', '--undo')).toContain('removed 0, changed back 1\n');
  expect(await readAll(operator)).toEqual(before);
  expect(publicPictures(operator).length).toBe(pictures);
});

it('leaves nothing of what was withdrawn in its file, nor of its pictures', async () => {
  const operator = await makeWith();
  const [first, ...rest] = WRONG;
  const withoutProofs = { ...first, proofs: { private: false, items: [] } };
  const file = operator.file('wrong.ndjson', [withoutProofs, ...rest]);
  await operator.succeed('import', file, ...ON, '--yes');
  const kept = () => readFileSync(undoPath(operator.databasePath), 'latin1');
  expect(kept()).toContain('nick 2');
  expect(storedProofFiles(operator).length).toBe(1);
  await operator.succeed('entry', 'remove', FIRST, ...ON, '--reason', 'appeal');
  expect(storedProofFiles(operator)).toEqual([]);
  await operator.succeed('entry', 'remove', THIRD, ...ON, '--reason', 'appeal');
  expect(kept()).not.toContain('nick 2');
  expect(kept()).toContain('nick 3');
});

it('is refused when undo.db is damaged, and then when it is gone', async () => {
  const operator = await makeWith();
  await operator.succeed('import', operator.file('wrong.ndjson', WRONG), ...ON, '--yes');
  truncateSync(undoPath(operator.databasePath), 5_000);
  const damaged = /undo\.db is damaged: imports until now cannot be taken back/;
  expect(await operator.break('import', '--undo')).toMatch(damaged);
  expect(await operator.fail('import', '--undo')).toBe(
    'what import 1 replaced is not kept any more; nothing was changed\n',
  );
  expect(await exported(operator, FIRST)).toMatchObject({ reason: 'Zły opis.' });
});

it('succeeds while another process reads undo.db', async () => {
  const operator = await makeWith();
  await operator.succeed('import', operator.file('wrong.ndjson', WRONG), ...ON, '--yes');
  using reader = openDatabase(undoPath(operator.databasePath), 'read');
  reader.connection.exec('BEGIN; SELECT count(*) FROM replaced');
  expect(await operator.spawn(['import', '--undo'])).toMatchObject({ code: 0 });
});

it('happens once when two try at once', async () => {
  const operator = await makeWith();
  const before = await readAll(operator);
  await operator.succeed('import', operator.file('wrong.ndjson', WRONG), ...ON, '--yes');
  const undos = await Promise.all([1, 2].map(() => operator.spawn(['import', '--undo'])));
  expect(undos.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await readAll(operator)).toEqual(before);
});
