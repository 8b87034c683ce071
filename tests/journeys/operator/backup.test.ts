import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { openDatabase } from '#src/db/database.ts';
import { retentionTime } from '#src/db/retention-time.ts';
import type { Finding } from '#src/operator/doctor/finding.ts';
import { removeEntry } from '../../support/change-log.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, makeCommandLine } from '../../support/run-czujka.ts';
import { countEntries, PNG, publicPictures, storedProofFiles } from '../../support/stored-entries.ts';
import { makeNewer } from '../../support/temporary-database.ts';

describe('doctor', () => {
  it('mends a damaged list of removals without loss, with and without a copy beside the backups', async () => {
    const operator = makeCommandLine();
    const settings = { BACKUP_FOLDER: operator.folder };
    const records = [makeRecord(), makeRecord()];
    await operator.fill('scammers', ...records);
    for (const { id } of records)
      await operator.succeed('entry', 'remove', id, '--list', 'scammers', '--reason', 'request');
    const file = join(operator.folder, 'data/removed.ndjson');
    const whole = readFileSync(file, 'utf8');
    for (const hasCopy of [true, false]) {
      if (hasCopy) operator.file('removed.ndjson', whole);
      else rmSync(join(operator.folder, 'removed.ndjson'));
      writeFileSync(file, whole.replace('"at"', '"at'));
      const { stdout } = await operator.run(['doctor', '--json'], { settings });
      const wrong = (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === 'wrong');
      const removals = wrong.find(({ about }) => about === 'removals');
      expect(removals?.says).toContain(`${file}:1: is no removal`);
      const others = wrong.filter(({ about, todo }) => about === 'database' || /restore/.test(todo ?? ''));
      expect(others).toEqual([]);
      const [mend = ''] = /cp -p .+?(?=;)/.exec(removals?.todo ?? '') ?? [];
      expect(spawnSync('sh', ['-ec', mend], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      await operator.succeed('rebuild');
      expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual(whole.split('\n').toSorted());
    }
  });

  // That a lost one is saved as it says is in slow/faults/damage.
  it('takes no copy that a process makes of the database for a lost one', async () => {
    const operator = await makeMigratedCommandLine();
    using db = openDatabase(operator.databasePath, 'write');
    db.statement('SELECT count(*) FROM entries').get();
    using _copy = openDatabase(join(operator.folder, 'copy.db'), 'write');
    const findings = await operator.json<Finding[]>('doctor');
    expect(findings.filter(({ says }) => / was (?:replaced|deleted)/.test(says))).toEqual([]);
  });

  it('goes on when a check fails', async () => {
    const operator = makeCommandLine();
    await operator.fill('scammers', makeRecord());
    operator.write((db) => db.connection.exec('DROP TABLE proof_items'));
    const findings = await operator.json<Finding[]>('doctor');
    const stateOf = (name: string) =>
      findings.filter(({ about }) => about === name).map(({ state }) => state);
    expect(stateOf('database')).toEqual(['fine']);
    expect(stateOf('proofs')).toEqual(['unknown']);
    expect([...stateOf('worker'), ...stateOf('search')]).toEqual(['wrong', 'wrong']);
  });
});

it('bring entries and proof files back while a reader is open', async () => {
  const operator = makeCommandLine();
  await operator.succeed('seed', '--count', '20');
  operator.file('shot.png', PNG);
  const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
  await operator.succeed('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
  const files = storedProofFiles(operator);
  using reader = openDatabase(operator.databasePath, 'read');
  const before = listEverything(reader);
  const log = readLogHead(reader);
  expect(await operator.succeed('backup', 'saved')).toMatch(
    /^21 entries and their proof files: saved\/czujka-\d{8}T\d{6}Z\.db\.zst\n$/,
  );
  for (const file of readdirSync(join(operator.folder, 'saved')))
    expect(statSync(join(operator.folder, 'saved', file)).mode & 0o077, file).toBe(0);

  const added = makeRecord();
  await operator.succeed('import', operator.file('more.ndjson', [added]), '--list', 'servers');
  rmSync(join(operator.folder, 'data/proofs'), { recursive: true });
  const changed = listEverything(reader);
  expect(changed).not.toEqual(before);

  reader.connection.exec('BEGIN');
  expect(listEverything(reader)).toEqual(changed);
  expect(await operator.succeed('restore', 'saved', '--yes')).toMatch(
    /^21 entries and \d proof files?: restored; a running service shows them/,
  );
  expect(listEverything(reader)).toEqual(changed);
  reader.connection.exec('COMMIT');
  expect(listEverything(reader)).toEqual(before);
  // Nobody goes on with numbers that were given to other changes.
  expect(readLogHead(reader).logId).not.toBe(log.logId);
  expect(storedProofFiles(operator)).toEqual(files);
  const check = operator.read((db) => db.connection.pragma('integrity_check', { simple: true }));
  expect(check).toBe('ok');
});

it('tells of lost and changed proof files, as does doctor, who also finds cut backups and missing pictures', async () => {
  const operator = makeCommandLine();
  const settings = { BACKUP_FOLDER: join(operator.folder, 'saved') };
  const folder = join(operator.folder, 'data/proofs');
  const records = ['a', 'b', 'c', 'd'].map((name) => {
    operator.file(`${name}.png`, Buffer.concat([PNG, Buffer.from(name)]));
    return makeRecord({ proofs: { private: false, items: [{ file: `${name}.png` }] } });
  });
  await operator.succeed('import', operator.file('in.ndjson', records), '--list', 'scammers');
  await operator.succeed('rebuild');
  await operator.succeed('backup', 'saved');
  const examine = async (more = {}) => {
    const others = ['settings', 'rights', 'disk', 'service', 'worker', 'search', 'clock'];
    const command = ['doctor', '--quiet', '--json', '--skip', ...others];
    const { stdout } = await operator.run(command, { settings: { ...settings, ...more } });
    return (JSON.parse(stdout || '[]') as Finding[]).map(({ says }) => says);
  };
  expect(await examine()).toEqual([]);
  const [lost = '', changed = ''] = storedProofFiles(operator);
  rmSync(join(folder, 'originals', lost));
  writeFileSync(join(folder, 'originals', changed), PNG);
  rmSync(join(folder, 'public', publicPictures(operator)[0] ?? ''));
  const [file = ''] = readdirSync(settings.BACKUP_FOLDER).filter((name) => name.endsWith('.zst'));
  const packed = join(settings.BACKUP_FOLDER, file);
  const bytes = readFileSync(packed);
  writeFileSync(packed, bytes.fill((bytes.at(-9) ?? 0) ^ 1, bytes.length - 9, bytes.length - 8));
  const [gone = '', turned = ''] = readdirSync(join(settings.BACKUP_FOLDER, 'proofs'));
  rmSync(join(settings.BACKUP_FOLDER, 'proofs', gone));
  writeFileSync(join(settings.BACKUP_FOLDER, 'proofs', turned), PNG);
  expect(await examine()).toEqual([
    `1 original image cannot be found, for example ${join(folder, 'originals', lost)}`,
    `1 original image with another content than the name (SHA-256) says, for example ${join(folder, 'originals', changed)}`,
    expect.stringContaining('of public proofs without all pictures') as string,
    `${packed} is damaged: its content is not what was written`,
    `1 original image that backups refer to cannot be found, for example ${join(settings.BACKUP_FOLDER, 'proofs', gone)}`,
    `1 original image with another content than the name (SHA-256) says, for example ${join(settings.BACKUP_FOLDER, 'proofs', turned)}`,
    `there is none in ${settings.BACKUP_FOLDER} that restore takes`,
  ]);
  expect(await operator.run(['backup', 'second'])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('second/') as string,
    stderr: expect.stringMatching(/^note: 2 proof files lost or changed, and not in the backup/) as string, // prettier-ignore
  });
  expect(await examine({ BACKUP_FOLDER: join(operator.folder, 'gone') })).toContain(
    `BACKUP_FOLDER=${join(operator.folder, 'gone')} is no folder that is there`,
  );
  const path = join(folder, 'originals');
  const isFolder = `DATABASE_PATH=${path} is a folder; it names a file, for example ${path}/czujka.db`;
  const migrated = await operator.run(['migrate'], { settings: { DATABASE_PATH: path } });
  expect(migrated).toEqual({ code: 2, stdout: '', stderr: `could not run: ${isFolder}\n` });
});

it('goes on where a backup was broken off, and says which row a restore would refuse', async () => {
  const operator = await makeMigratedCommandLine();
  operator.file(`saved/proofs/${'a'.repeat(64)}`, 'x');
  operator.file('saved/.part-czujka-20260101T000000Z.db', 'x');
  await operator.succeed('backup', 'saved');
  expect(await operator.succeed('restore', 'saved')).toContain('restored');
  operator.write((db) => db.connection.exec("INSERT INTO incidents VALUES (7, 'evil', 5, 6, NULL, 6)"));
  const stderr = await operator.break('backup', 'second');
  expect(stderr).toMatch(/^note: "restore" would refuse this backup: incidents\.part must .*"incident":7/);
  const refused = await operator.fail('restore', 'second', '--yes');
  expect(refused).toContain(stderr.trim().split('backup: ')[1]);
});

it('does not write a backup over something', async () => {
  const operator = await makeMigratedCommandLine();
  operator.file('saved/mine', 'x');
  const refused = 'saved exists and holds something; name a new folder\n';
  expect(await operator.fail('backup', 'saved')).toBe(refused);
  expect(readdirSync(join(operator.folder, 'saved'))).toEqual(['mine']);
});

it('asks which backup of a folder to restore when it has several', async () => {
  const operator = await makeMigratedCommandLine();
  const { file } = await operator.json<{ file: string }>('backup', 'saved');
  for (const ending of ['.db.zst', '.json']) {
    const other = `saved/czujka-20200101T041000Z${ending}`;
    cpSync(join(operator.folder, file.replace('.db.zst', ending)), join(operator.folder, other));
  }
  expect(await operator.fail('restore', 'saved', '--yes')).toContain(
    'saved holds daily backups; name one, for example the newest: saved/',
  );
  expect(await operator.succeed('restore', file, '--yes')).toContain('restored');
});

it('restores from a copied folder also what is not in the database file yet', async () => {
  const operator = makeCommandLine();
  const id = '280864204968068869';
  await operator.fill('scammers', makeRecord({ id, name: 'early' }));
  using reader = openDatabase(operator.databasePath, 'read');
  reader.read(() => reader.statement('SELECT count(*) FROM entries').get());
  await operator.succeed('entry', 'edit', id, '--list', 'scammers', '--name', 'late');
  for (const name of ['czujka.db', 'czujka.db-wal'])
    operator.file(`copied/${name}`, readFileSync(join(operator.folder, 'data', name)));
  expect(statSync(join(operator.folder, 'copied/czujka.db-wal')).size).toBeGreaterThan(0);
  reader.close();
  await operator.succeed('entry', 'edit', id, '--list', 'scammers', '--name', 'later');
  await operator.succeed('restore', 'copied', '--yes');
  expect(await operator.json('entry', 'show', id)).toMatchObject([{ name: 'late' }]);
});

it('replaces entries only when told to', async () => {
  const operator = makeCommandLine();
  await operator.succeed(...'entry add 1 --odd-id --list legit --name one --reason x'.split(' '));
  await operator.succeed('backup', 'saved');
  await operator.succeed(...'entry add 2 --odd-id --list legit --name two --reason x'.split(' '));
  expect(await operator.fail('restore', 'saved')).toBe(
    `${operator.databasePath} holds 2 entries; repeat with --yes to replace them\n`,
  );
  expect(countEntries(operator, 'legit')).toBe(2);
});

it('asks another machine for the list of removals, and brings nothing back that it names', async () => {
  const [operator, machine, careless] = [makeCommandLine(), makeCommandLine(), makeCommandLine()];
  operator.file('shot.png', PNG);
  const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
  const earlier = makeRecord();
  await operator.fill('scammers', record, makeRecord(), earlier);
  await operator.succeed('entry', 'remove', earlier.id, '--list', 'scammers', '--reason', 'request');
  const { file } = await operator.json<{ file: string }>('backup', 'saved');
  const [path = '', removed = ''] = [file, 'data/removed.ndjson'].map((name) => join(operator.folder, name));
  await operator.succeed('entry', 'remove', record.id, '--list', 'scammers', '--reason', 'request');
  expect((await operator.run(['restore', file, '--yes'])).stderr).toContain('not brought back: 1 entry');
  // A database that was just made is not the old one.
  for (const unaware of [machine, await makeMigratedCommandLine()]) {
    expect(await unaware.fail('restore', path)).toMatch(
      /nothing here knows what was removed.*--removed FILE/,
    );
    const other = operator.file(
      'other.ndjson',
      readFileSync(removed, 'utf8').replaceAll(/"history":"../g, '"history":"zz'),
    );
    expect(await unaware.fail('restore', path, '--removed', join(operator.folder, other))).toMatch(
      /other\.ndjson lists no removal of the database that this backup is of/,
    );
  }
  expect(existsSync(machine.databasePath)).toBe(false);
  // Its own list has the removals after that.
  for (const how of [['--removed', removed], ['--yes']]) await machine.succeed('restore', path, ...how);
  await careless.succeed('restore', path, '--without-removed');
  const places = [operator, machine, careless];
  expect(places.map((place) => countEntries(place))).toEqual([1, 1, 2]);
  expect(places.map((place) => storedProofFiles(place).length)).toEqual([0, 0, 1]);
});

// A kill between the two leaves it so.
it('leaves out an entry whose removal is in the database and not in removed.ndjson', async () => {
  const operator = makeCommandLine();
  const gone = makeRecord();
  await operator.fill('scammers', gone, makeRecord());
  await operator.succeed('backup', 'saved');
  operator.write((db) => removeEntry(db, 'scammers', gone.id, 'request', Date.now()));
  expect(await operator.succeed('restore', 'saved', '--yes')).toMatch(/^1 entry /);
});

it('lets the time of retention go on, which is not that of the backup', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.succeed('backup', 'saved');
  using db = openDatabase(operator.databasePath, 'write');
  const edge = db.write((tx) => retentionTime(tx));
  await operator.succeed('restore', 'saved', '--yes');
  expect(db.write((tx) => retentionTime(tx, edge.edge + 1e9)).isBelieved).toBe(false);
});

it('gives no number of an incident or import a second time', async () => {
  const operator = await makeMigratedCommandLine();
  const columns = 'part, opened_at, closed_at, updated_at';
  const incident = `INSERT INTO incidents (${columns}) VALUES ('litecoin', 1, 2, 2)`;
  const interrupt = () => operator.write((db) => db.connection.exec(incident));
  const importOne = async (): Promise<unknown> => {
    const file = operator.file('in.ndjson', [makeRecord()]);
    return (await operator.json<{ import: number }>('import', file, '--list', 'legit')).import;
  };
  const newestIncident = async (): Promise<unknown> =>
    (await operator.json<{ incident: number }[]>('incident', 'list'))[0]?.incident;
  const newestChange = (): number => operator.read((db) => readLogHead(db).seq);
  interrupt();
  expect(await importOne()).toBe(1);
  await operator.succeed('backup', 'saved');
  interrupt();
  expect(await importOne()).toBe(2);
  for (const times of [0, 1]) {
    const before = newestChange();
    await operator.succeed('restore', 'saved', '--yes');
    expect(await newestIncident()).toBe(1);
    interrupt();
    expect([await importOne(), await newestIncident()]).toEqual([3 + times, 3 + times]);
    expect(newestChange()).toBeGreaterThan(before);
  }

  // The lost database may have given more.
  rmSync(join(operator.folder, 'data'), { recursive: true });
  await operator.succeed('restore', 'saved', '--without-removed');
  interrupt();
  expect([await importOne(), await newestIncident()]).toEqual([1_002, 1_002]);
});

it('refuses what is no whole backup of this version, and keeps what is there', async () => {
  const operator = makeCommandLine();
  await operator.succeed('seed', '--count', '200');
  const path = join(operator.folder, 'newer/czujka.db');
  mkdirSync(dirname(path));
  operator.read((db) => db.connection.prepare('VACUUM INTO ?').run(path));
  const newer = openDatabase(path, 'write');
  makeNewer(newer);
  newer.close();
  operator.file('text/czujka.db', 'This is a text and no database at all. '.repeat(100));
  const before = operator.read(listEverything);
  const { file } = await operator.json<{ file: string }>('backup', 'packed');
  const packed = readFileSync(join(operator.folder, file));
  operator.file(file, packed.fill(0x55, 9_000, 9_064));
  operator.file('removed.ndjson', '{"what":"everything"}\n');
  for (const [folder, problem, ...how] of [
    ['none', 'none is not there'],
    [file, 'is damaged'],
    ['text', 'text holds no sound database: file is not a database'],
    ['newer', 'is newer than this version'],
    [file, 'removed.ndjson:1: is no removal', '--removed', 'removed.ndjson'],
  ] as const)
    expect(await operator.fail('restore', folder, '--yes', ...how)).toContain(problem);
  operator.file(file, packed.subarray(0, 9_000));
  expect(await operator.fail('restore', file, '--yes')).toContain('is damaged');
  expect(operator.read(listEverything)).toEqual(before);
});
