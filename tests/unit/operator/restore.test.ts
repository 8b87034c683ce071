/** A backup is data from outside: what `restore` takes of it, and what it refuses. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { appliedMigrations, migrationNames, readSchemaState } from '#src/db/migrate.ts';
import { proofsIdOf } from '#src/entries/entry-identity.ts';
import { findReport } from '#src/entries/report-numbers.ts';
import { listTombstones } from '#src/removals/tombstones.ts';
import { listPublicProofs, readPublicPicture } from '#src/proofs/list-public-proofs.ts';
import { restoreDatabase } from '#src/operator/restore.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { updateRemovedFile } from '#src/removals/removed-file.ts';
import { readRemovedKey } from '#src/removals/removed-key.ts';
import { removeEntry } from '../../support/change-log.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import {
  makeDatabase,
  makeEarlierDatabase,
  makeFolder,
  makeNewer,
} from '../../support/temporary-database.ts';
import { BadInputError } from '#src/operator-error.ts';

const HTML = "SELECT json ->> 'descHtml' FROM published";

const REPORT = 'R-PHOTO';
const root = makeFolder();
const sha256Of = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const makeMachine = (): string => join(mkdtempSync(join(root, 'machine-')), 'data');

/** A copy of the backup on which this was done. */
function tamper(sql: string | ((db: Database) => unknown)): string {
  const folder = mkdtempSync(join(root, 'backup-'));
  cpSync(backup, folder, { recursive: true });
  using db = openDatabase(join(folder, 'czujka.db'), 'write');
  if (typeof sql === 'string') db.connection.exec(sql);
  else sql(db);
  return folder;
}

function restore(from: string, machine: string, approve: (live: string) => void = () => {}) {
  const path = join(machine, 'czujka.db');
  const options = { approve: () => approve(path), skipAddresses: 0, withoutRemoved: true };
  return restoreDatabase(parseConfig({ DATABASE_PATH: path }), from, options);
}

async function restored<T>(from: string, look: (db: Database, machine: string) => T): Promise<T> {
  const machine = makeMachine();
  await restore(from, machine);
  using db = openDatabase(join(machine, 'czujka.db'), 'read');
  return await look(db, machine);
}

/** Nothing of a refused backup is on the machine. @returns the sentence for the operator */
async function refusal(from: string): Promise<string> {
  const machine = makeMachine();
  const error: unknown = await restore(from, machine).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadInputError);
  expect(existsSync(machine) ? readdirSync(machine) : []).toEqual([]);
  expect(readdirSync(dirname(machine)).filter((name) => name !== 'data')).toEqual([]);
  return (error as Error).message.replace(from, 'BACKUP');
}

const db = await makeDatabase();
const dataFolder = dirname(db.path);
const bytes = await makePhoto();
const photo = sha256Of(bytes);
writeFileSync(join(dataFolder, 'photo.jpg'), bytes);
const items = [{ text: 'Zrzut *ekranu*.', url: 'https://example.com/' }, { file: 'photo.jpg' }];
const record = makeRecord({ reportId: REPORT, reason: 'Oszust.', proofs: { private: false, items } });
await importRecords(db, 'scammers', [record, makeRecord()], undefined, dataFolder);
makeDonation(db);
db.connection.exec(`INSERT INTO entry_notes VALUES (1, 1, 5, 'ola', 'Notatka.');
    INSERT INTO appeals VALUES (1, 1, 5, 6, 'powód');
    INSERT INTO incidents VALUES (1, 'litecoin', 5, 6, 'Awaria.', 6);
    INSERT INTO removals VALUES (1, 5, 'legit', '${'a'.repeat(24)}', 'private', NULL, '${'0'.repeat(16)}', 1)`);
const backup = join(root, 'backup');
// Where a crafted name leads, from the folder of the originals.
writeFileSync(join(root, 'evil.env'), 'evil');
// A plain folder, like the copy from before an update; the daily format takes the same way after it is unpacked.
mkdirSync(backup);
db.connection.prepare('VACUUM INTO ?').run(join(backup, 'czujka.db'));
cpSync(join(dataFolder, 'proofs/originals'), join(backup, 'proofs/originals'), { recursive: true });

describe('a backup is refused', () => {
  it.each([
    ['CREATE VIEW evil AS SELECT 1', 'has the view "evil", which no migration makes'],
    ['PRAGMA foreign_keys = OFF; DELETE FROM contents', `is refused: the entry "${REPORT}" has no text`],
    [
      "PRAGMA ignore_check_constraints = ON; UPDATE entries SET list = 'evil'",
      'is damaged: CHECK constraint failed in entries',
    ],
  ])('after %s', async (sql, problem) => {
    expect(await refusal(tamper(sql))).toBe(`BACKUP ${problem}`);
  });

  it.each([
    ["proof_items SET file_sha256 = '../../../evil.env'", 'proof_items.file_sha256 must be 64 hexadecimal'],
    [
      "proof_items SET url = 'javascript:alert(1)'",
      `the entry "${REPORT}": proofs.items[0].url must be an http or https`,
    ],
    ["entries SET name = 'a' || char(10) || 'b'", `the entry "${REPORT}": name holds a control character`],
    ["entries SET entry_id = printf('%024d', row)", 'entries.entry_id does not follow from report_id'],
    ["entries SET proofs_id = 'evil' WHERE proofs = 'public'", 'entries.proofs_id does not follow'],
    ['entries SET updated_at = 9e15', 'entries.updated_at must be at most 253402300799999'],
    ["sqlite_sequence SET seq = 5e9 WHERE name = 'entries'", 'sqlite_sequence.seq leaves no row numbers'],
    ['entry_notes SET at = 9e15', 'entry_notes.at must be at most 253402300799999'],
    ["entry_notes SET text = 'a' || char(7)", 'entry_notes.text holds a control character'],
    ["entry_notes SET text = printf('%.2001c', 'x')", 'entry_notes.text is too long'],
    ['appeals SET decided_at = 9e15', 'appeals.decided_at must be at most 253402300799999'],
    ["appeals SET note = 'evil.example/'", 'appeals.note holds what looks like a link'],
    ["changes SET entry_id = 'evil'", 'changes.entry_id must be 24 hexadecimal digits'],
    ["incidents SET part = 'evil'", 'incidents.part must be one of database, '],
    ["donations SET id = '<evil>'", 'donations.id must be ltc_ and 16 to 64'],
    ["donations SET script = 'evil'", 'donations.script does not follow from address'],
    ["donations SET tx_id = '../evil'", 'donations.tx_id must be 64 hexadecimal digits'],
    ["properties SET value = 'evil' WHERE key = 'history'", 'properties.history must be 16 hexadecimal'],
    [
      "properties SET value = 'evil' WHERE key = 'oldest_schema'",
      'properties.oldest_schema must be one of 0001_schema',
    ],
  ])('when %s was done', async (change, problem) => {
    const sentence = await refusal(tamper(`PRAGMA foreign_keys = OFF; UPDATE ${change}`));
    expect(sentence).toContain(`BACKUP is refused: ${problem}`);
  });

  const original = (folder: string): string => join(folder, 'proofs/originals', photo);

  it.each(['a link', 'another file'])('when an original is %s, until it is taken out', async (what) => {
    const from = tamper('');
    renameSync(original(from), join(from, 'photo'));
    if (what === 'a link') symlinkSync('../../photo', original(from));
    else writeFileSync(original(from), '<script>alert(1)</script>');
    const sentence = 'is not the file that its name says; take it out to restore without it';
    expect(await refusal(from)).toBe(`${original('BACKUP')} ${sentence}`);
    rmSync(original(from), { recursive: true });
    expect((await restore(from, makeMachine())).lostProofs).toBe(1);
  });

  it('when its database is a link', async () => {
    const from = tamper('');
    renameSync(join(from, 'czujka.db'), join(from, 'other.db'));
    symlinkSync('other.db', join(from, 'czujka.db'));
    expect(await refusal(from)).toBe('BACKUP/czujka.db is a link or no file');
  });
});

describe('a backup that is restored', () => {
  const SCRIPT = '<script>alert(1)</script>';

  it('texts are rendered again from their Markdown', async () => {
    const from = tamper(
      `UPDATE published SET json = json_set(json, '$.descHtml', '${SCRIPT}'), card = '${SCRIPT}';
       UPDATE proof_items SET text_html = '${SCRIPT}'`,
    );
    await restored(from, (db) => {
      expect(db.statement<string>(HTML).pluck().all()).toContain('<p>Oszust.</p>');
      const texts = listPublicProofs(db, proofsIdOf(REPORT)).map(({ textHtml }) => textHtml);
      expect(texts).toEqual(['<p>Zrzut <em>ekranu</em>.</p>', null]);
      const stored = db.statement('SELECT * FROM published, proof_items').all();
      expect(JSON.stringify(stored)).not.toContain('script');
    });
  });

  it('a text that the renderer refuses is shown as it was written', async () => {
    const reason = `2) d\n\t>2) \na${SCRIPT}`;
    const from = tamper((db) => db.statement('UPDATE contents SET reason = ?').run(reason));
    const [html] = await restored(from, (db) => db.statement(HTML).pluck().all());
    const shown = reason.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br />');
    expect(html).toBe(`<p>${shown}</p>`);
  });

  it('pictures are made again from the originals', async () => {
    const sha256 = sha256Of(SCRIPT);
    const from = tamper(`UPDATE proof_images SET sha256 = '${sha256}' WHERE width = 300`);
    mkdirSync(join(from, 'proofs/public'), { recursive: true });
    for (const format of ['avif', 'webp'])
      writeFileSync(join(from, 'proofs/public', `${sha256}.${format}`), SCRIPT);
    await restored(from, async (db, machine) => {
      const pictures = listPublicProofs(db, proofsIdOf(REPORT)).flatMap((proof) => proof.pictures ?? []);
      expect(pictures.length).toBeGreaterThan(0);
      for (const picture of pictures) {
        expect(picture.sha256).not.toBe(sha256);
        const read = await readPublicPicture(db, `${picture.sha256}.${picture.format}`);
        expect(sha256Of(read?.bytes ?? '')).toBe(picture.sha256);
      }
      expect(readdirSync(join(machine, 'proofs/public'))).toHaveLength(pictures.length);
    });
  });

  it('an original that is no image has no picture', async () => {
    const sha256 = sha256Of(SCRIPT);
    const from = tamper(`UPDATE proof_items SET file_sha256 = '${sha256}' WHERE file_sha256 IS NOT NULL`);
    writeFileSync(join(from, 'proofs/originals', sha256), SCRIPT);
    await restored(from, (db) => {
      expect(listPublicProofs(db, proofsIdOf(REPORT)).map(({ pictures }) => pictures)).toEqual([null, []]);
    });
  });

  it('is there, also where unused files cannot be removed after it', async () => {
    const machine = makeMachine();
    mkdirSync(join(machine, 'proofs'), { recursive: true });
    // The folder cannot be listed.
    writeFileSync(join(machine, 'proofs/public'), '');
    const report = await restore(tamper('DELETE FROM proof_items'), machine);
    expect(report).toMatchObject({ entries: 2, lostProofs: 0 });
  });

  it('what was true only when it was made is left out', async () => {
    const from = tamper((db) => {
      db.statement('INSERT INTO status_snapshot VALUES (1, ?, ?)').run(Date.now(), SCRIPT);
      db.connection.exec(
        `INSERT INTO properties VALUES ('newest_backup', 'evil'), ('litecoin.watched_at', '9e99'), ('sample', 'yes')`,
      );
    });
    await restored(from, (db) => {
      for (const table of ['status_snapshot', 'litecoin_rates'])
        expect(db.statement(`SELECT * FROM ${table}`).all(), table).toEqual([]);
      const keys = db.statement('SELECT key FROM properties ORDER BY key').pluck().all();
      expect(keys.join(' ')).toBe('earlier_logs history list_indexes oldest_schema removed_file sample');
    });
  });
});

it('a backup of Czujka 1.0.0 is taken, like the copy from before it was brought over', async () => {
  const path = makeEarlierDatabase();
  const machine = dirname(path);
  const read = () => {
    using db = openDatabase(path, 'read');
    return [
      'SELECT entry_id, list, chat_id, name, proofs_id, reported_at, views FROM entries',
      'SELECT id, address, status FROM donations',
    ].map((query) => db.statement(query).all());
  };
  const before = read();
  using db = await openOperatorDatabase(path);
  db.connection.exec("UPDATE entries SET name = 'zmieniony'");
  await restore(join(machine, 'before-0006'), machine);
  expect(read()).toEqual(before);
  expect(readSchemaState(db)).toBe('current');
});

it('a backup takes the place of a database of a later version that only added', async () => {
  const machine = makeMachine();
  await restore(backup, machine);
  using db = openDatabase(join(machine, 'czujka.db'), 'write');
  const sql = ['removals', 'proof_images'].map((table) => `ALTER TABLE ${table} ADD COLUMN later TEXT;`);
  makeNewer(db, sql.join(''));
  await restore(backup, machine);
  expect(appliedMigrations(db.connection)).toEqual(migrationNames());
});

it('a database keeps its pictures where its backup is restored', async () => {
  const machine = makeMachine();
  await restore(backup, machine);
  const folder = join(machine, 'proofs/public');
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name), 'not made again');
  await restore(backup, machine);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('not made again');
});

describe('while a restore is being prepared', () => {
  const keyId = 'key';
  const derive = (index: number) => ({ address: `address ${index}`, script: `00${index}` });
  const give = (live: string): unknown => {
    using db = openDatabase(live, 'write');
    const id = makeDonation(db, { to: { key: { keyId, derive } } });
    return db.statement('SELECT address FROM donations WHERE id = ?').pluck().get(id);
  };

  it('no address is given out that a second donor gets afterwards', async () => {
    const machine = makeMachine();
    await restore(backup, machine);
    const given: unknown[] = [];
    await restore(backup, machine, (live) => given.push(give(live), give(live)));
    given.push(give(join(machine, 'czujka.db')));
    expect(given).toEqual(['address 0', 'address 1', 'address 2']);
  });

  it('a removal counts, also of an entry that the backup has not', async () => {
    const machine = makeMachine();
    await restore(backup, machine);
    using live = await openOperatorDatabase(join(machine, 'czujka.db'));
    const late = makeRecord({ reportId: 'R-LATE' });
    await importRecords(live, 'scammers', [late]);
    await restore(backup, machine, () => {
      removeEntry(live, 'scammers', late.id, 'request', Date.now());
      updateRemovedFile(live);
    });
    expect(findReport(live, 'R-LATE')).toMatchObject({ reason: 'request' });
    expect(listTombstones(live, readRemovedKey(live.path), 'scammers', late.id)).toHaveLength(1);
  });

  it('somebody may write: it waits for the lock, and replaces the database then', async () => {
    const machine = makeMachine();
    await restore(backup, machine);
    await restore(backup, machine, (live) => {
      const writer = openDatabase(live, 'write');
      writer.connection.exec("BEGIN IMMEDIATE; UPDATE entries SET name = 'written'");
      setTimeout(() => {
        writer.connection.exec('COMMIT');
        writer.close();
      }, 1_500);
    });
    using db = openDatabase(join(machine, 'czujka.db'), 'read');
    expect(db.statement("SELECT count(*) FROM entries WHERE name = 'written'").pluck().get()).toBe(0);
  });
});
