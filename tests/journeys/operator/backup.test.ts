import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import { countEntries, PNG, storedProofFiles } from '../../support/stored-entries.ts';

describe('backup and restore', () => {
  it('bring entries and proof files back while a reader is open', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '20');
    operator.file('shot.png', PNG);
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
    const files = storedProofFiles(operator);
    const reader = openDatabase(operator.databasePath, 'read');
    try {
      const before = listEverything(reader);
      expect(await operator.do('backup', 'saved')).toMatch(
        /^21 entries and their proof files: saved\/czujka-\d{8}T\d{6}Z\.db\.zst\n$/,
      );

      const added = makeRecord();
      await operator.do('import', operator.file('more.ndjson', [added]), '--list', 'servers');
      rmSync(join(operator.folder, 'data/proofs'), { recursive: true });
      const changed = listEverything(reader);
      expect(changed).not.toEqual(before);

      reader.connection.exec('BEGIN');
      expect(listEverything(reader)).toEqual(changed);
      expect(await operator.do('restore', 'saved', '--yes')).toMatch(
        /^21 entries and \d proof files?: restored; a running service shows them/,
      );
      expect(listEverything(reader)).toEqual(changed);
      reader.connection.exec('COMMIT');
      expect(listEverything(reader)).toEqual(before);
    } finally {
      reader.close();
    }
    expect(storedProofFiles(operator)).toEqual(files);
    const check = operator.read((db) => db.connection.pragma('integrity_check', { simple: true }));
    expect(check).toBe('ok');
  });

  it('brings a backup to a machine that has nothing', async () => {
    const [from, to] = [makeOperator(), makeOperator()];
    await from.do('seed', '--count', '10');
    await from.do('backup', join(to.folder, 'saved'));
    for (const file of readdirSync(join(to.folder, 'saved')))
      expect(statSync(join(to.folder, 'saved', file)).mode & 0o077).toBe(0);
    expect(await to.json('restore', 'saved', '--without-removed')).toMatchObject({ entries: 10, files: 0 });
    expect(to.read(listEverything)).toEqual(from.read(listEverything));
  });

  it('restores a plain folder as older versions wrote it', async () => {
    const [from, to] = [makeOperator(), makeOperator()];
    from.file('shot.png', PNG);
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
    await from.do('import', from.file('in.ndjson', [record]), '--list', 'scammers');
    mkdirSync(join(to.folder, 'old'));
    from.read((db) => db.connection.prepare('VACUUM INTO ?').run(join(to.folder, 'old/czujka.db')));
    cpSync(join(from.folder, 'data/proofs'), join(to.folder, 'old/proofs'), { recursive: true });
    expect(await to.json('restore', 'old', '--without-removed')).toMatchObject({ entries: 1, lostProofs: 0 });
    expect(to.read(listEverything)).toEqual(from.read(listEverything));
    expect(storedProofFiles(to)).toEqual(storedProofFiles(from));
  });

  it('does not write a backup over something', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    operator.file('saved/mine', 'x');
    expect(await operator.run(['backup', 'saved'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'saved exists; name a new folder\n',
    });
    expect(readdirSync(join(operator.folder, 'saved'))).toEqual(['mine']);
  });

  it('asks which backup of a folder to restore when it has several', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    const { file } = await operator.json<{ file: string }>('backup', 'saved');
    for (const ending of ['.db.zst', '.json'])
      cpSync(
        join(operator.folder, file.replace('.db.zst', ending)),
        join(operator.folder, `saved/czujka-20200101T041000Z${ending}`),
      );
    const { code, stderr } = await operator.run(['restore', 'saved', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        'saved holds daily backups; name one, for example the newest: saved/',
      ) as string,
    });
    expect(await operator.do('restore', file, '--yes')).toContain('restored');
  });

  it('replaces entries only when told to', async () => {
    const operator = makeOperator();
    await operator.do(...'entry add 1 --odd-id --list legit --name one --reason x'.split(' '));
    await operator.do('backup', 'saved');
    await operator.do(...'entry add 2 --odd-id --list legit --name two --reason x'.split(' '));
    const { code, stderr } = await operator.run(['restore', 'saved']);
    expect(code).toBe(1);
    expect(stderr).toBe(`${operator.databasePath} holds 2 entries; repeat with --yes to replace them\n`);
    expect(countEntries(operator, 'legit')).toBe(2);
  });

  it.each([
    ['that is not there', 'none', 'none holds no backup'],
    ['that is damaged', 'damaged', 'is damaged'],
    ['that is no database', 'text', 'file is not a database'],
    ['of a newer version', 'newer', 'is newer than this version'],
  ])('refuses a backup %s and keeps what is there', async (_name, folder, problem) => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '200');
    for (const name of ['damaged', 'newer']) {
      mkdirSync(join(operator.folder, name));
      operator.read((db) =>
        db.connection.prepare('VACUUM INTO ?').run(join(operator.folder, name, 'czujka.db')),
      );
    }
    operator.file('text/czujka.db', 'This is a text and no database at all. '.repeat(100));
    const damaged = join(operator.folder, 'damaged/czujka.db');
    const bytes = readFileSync(damaged);
    // Past the schema, so that the file opens well.
    bytes.fill(0x55, bytes.length / 2, bytes.length / 2 + 8_192);
    writeFileSync(damaged, bytes);
    const newer = openDatabase(join(operator.folder, 'newer/czujka.db'), 'write');
    newer.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
    newer.close();
    const before = operator.read(listEverything);
    const { code, stderr } = await operator.run(['restore', folder, '--yes']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) as string });
    expect(operator.read(listEverything)).toEqual(before);
  });
});
