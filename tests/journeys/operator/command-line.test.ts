/** All verbs share help, errors of arguments and settings, and refusal of an unfit database. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { lockForProcess, workerLock } from '#src/db/process-lock.ts';
import { removeEntry } from '../../support/change-log.ts';
import { failureSchema } from '#src/operator/batch-protocol.ts';
import { writeProbe } from '#src/status/record-sample.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, makeCommandLine } from '../../support/run-czujka.ts';
import { exported, PNG } from '../../support/stored-entries.ts';

const ON = ['--list', 'servers'];

describe('a text from a file or standard input', () => {
  const read = [
    ['entry', 'add', '2', '--odd-id', ...ON, '--name', 'x', '--reason-file'],
    ['entry', 'edit', '1', ...ON, '--reason-file'],
    ['proofs', 'add', '1', ...ON, '--text-file'],
  ];
  const many = ['entry', 'remove', ...ON, '--reason', 'other'];

  it.each([...read, ['entry', 'note', '1'], many].map((verb) => verb.join(' ')))(
    '%s: is refused in another encoding than UTF-8',
    async (verb) => {
      const operator = makeCommandLine();
      await operator.fill('servers', makeRecord({ id: '1' }));
      const before = operator.read(listEverything);
      // Encodings of Notepad: Windows-1250, and UTF-16 with its byte order mark.
      for (const text of [Buffer.from('O\xb6zuka\xb3', 'latin1'), Buffer.from('\ufeffOszukał', 'utf16le')]) {
        const refusal = 'is not valid UTF-8; save the file as UTF-8\n';
        const { code, stderr } = await operator.run([...verb.split(' '), '-'], { input: text });
        expect([code, stderr]).toEqual([1, `standard input ${refusal}`]);
        if (!verb.endsWith('-file')) continue;
        const file = operator.file('powód.md', text);
        expect(await operator.fail(...verb.split(' '), file)).toBe(`powód.md ${refusal}`);
      }
      expect(operator.read(listEverything)).toEqual(before);
    },
  );

  it('loses its byte order mark', async () => {
    const operator = makeCommandLine();
    await operator.fill('servers', makeRecord({ id: '1' }));
    const file = operator.file('reason.md', '\ufeff# Oszukał');
    for (const verb of read) await operator.succeed(...verb, file);
    const { code } = await operator.run([...many, '-'], { input: '\ufeff1\n' });
    expect(code).toBe(0);
    expect(await exported(operator, '2', 'servers')).toMatchObject({ reason: '# Oszukał' });
  });
});

describe('input that is too long', () => {
  const add = ['entry', 'add', '2', '--odd-id', ...ON, '--name', 'x', '--reason-file'];
  const proof = ['proofs', 'add', '1', ...ON, '--public'];

  // An import reads on, because each record has a limit of its own.
  it.each([
    ['entry', 'remove', '-', ...ON, '--reason', 'appeal'],
    [...add, '-'],
    ['entry', 'edit', '1', ...ON, '--reason-file', '-'],
    [...proof, '--text-file', '-'],
    [...proof, '--file', '-'],
  ])("ends %s %s %s with 1 before it is in memory, also a moderator's, without a repeat", async (...args) => {
    const operator = makeCommandLine();
    await operator.fill('servers', makeRecord({ id: '1' }));
    let read = 0;
    function* endless(head: string): Generator<Buffer> {
      yield Buffer.from(head);
      for (read = 0; read < 1_000; read += 1) yield Buffer.alloc(65_536, 'x');
    }
    for (const run of [
      () => operator.run(args, { input: endless('') }),
      () => operator.receive(endless(`${JSON.stringify(args)}\n`)),
    ]) {
      const { code, stderr } = await run();
      expect(code).toBe(1);
      expect(stderr).toMatch(/^.{0,100} has more than \d+ bytes; .{0,100}\n$/);
      expect(read).toBeLessThan(400);
    }
  });

  it('is a device, or a pipe that nobody writes into', async () => {
    const operator = makeCommandLine();
    await operator.fill('servers', makeRecord({ id: '1' }));
    const pipe = join(operator.folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    for (const file of ['/dev/zero', pipe])
      for (const verb of [add, [...proof, '--text-file'], [...proof, '--file']])
        expect(await operator.fail(...verb, file), verb.join(' ')).toMatch(/is no(?:t a)? file/);
    const long = operator.file('long.md', 'x'.repeat(90_000));
    const refused = 'long.md has more than 80000 bytes; a text may have 20000 characters\n';
    expect(await operator.fail(...add, long)).toBe(refused);
    expect(await operator.fail('restore', 'x', '--removed', '/dev/zero')).toContain('x is not there');
  });

  it('is an argument or a field, of which a message repeats the ends', async () => {
    const operator = makeCommandLine();
    await operator.fill('servers', makeRecord({ id: '1' }));
    const long = `a${'"x '.repeat(30_000)}z`;
    for (const args of [
      ['entry', 'show', long],
      ['entry', 'add', long, ...ON],
      ['entry', 'list', '--list', long],
      ['entry', 'edit', '1', ...ON, `--views=${long}`],
      [long],
      ['proofs', 'add', '1', ...ON, '--public', '--file', long],
    ]) {
      const message = await operator.fail(...args);
      expect(message.length, message.slice(0, 2_000)).toBeLessThan(600);
    }
    const records = [{ [long]: 1 }, { id: '2', name: long }, { id: '2', views: '1'.repeat(9_999) }];
    const file = operator.file('in.ndjson', [...records, { proofs: { items: [{ file: long }] } }]);
    for (const line of (await operator.fail('import', file, ...ON)).split('\n'))
      expect(line.length, line.slice(0, 2_000)).toBeLessThan(600);
  });
});

it('explains every verb with an example, and makes no database for it', async () => {
  const operator = makeCommandLine();
  const explain = async (...verb: string[]): Promise<void> => {
    const { code, stdout, stderr } = await operator.run([...verb, '--help']);
    const command = ['czujka', ...verb].join(' ');
    expect({ code, stderr }, command).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${command} `);
    const [, ...groups] = stdout.split(/^(?:Commands|Every day|Rarely):$/m);
    if (groups.length === 0) expect(stdout).toContain(`\nExample:\n  ${command}`);
    for (const [, name = ''] of groups.join('').matchAll(/^ {2}([a-z]+) /gm))
      if (name !== 'help') await explain(...verb, name);
  };
  await explain();
  const help = await operator.succeed('--help');
  expect(help).toMatch(/^Every day:$[^]*^ {2}entry [^]*^Rarely:$[^]*^ {2}restore /m);
  expect(readdirSync(operator.folder)).toEqual([]);
});

it.each([
  ['', 'Usage: czujka'],
  ['improt', "unknown command 'improt'"],
  ['import x --list legit --kep-going', "unknown option '--kep-going'"],
  ['import --list legit', 'name the file; - reads standard input'],
  ['import x', '--list is missing; it is one of scammers, servers, legit'],
])('ends with 1 for "%s"', async (args, problem) => {
  const operator = makeCommandLine();
  const { code, stdout, stderr } = await operator.run(args.split(' ').filter(Boolean));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(problem);
  expect(readdirSync(operator.folder)).toEqual([]);
});

it.each([
  ['entry show 1 --jsn --json', 1, 'invalid', "unknown option '--jsn'"],
  ['entry show 1 --json', 2, 'failed', 'there is no database'],
  ['settings --json=1 --json', 1, 'invalid', "option '--json=1'"],
  ['entry --json', 1, 'invalid', "unknown option '--json'"],
])('prints the error of "%s" as JSON', async (args, exitCode, code, message) => {
  const { stdout, stderr, ...ended } = await makeCommandLine().run(args.split(' '));
  expect({ ...ended, stderr }).toEqual({ code: exitCode, stderr: '' });
  const { error } = failureSchema.parse(JSON.parse(stdout));
  expect(error).toEqual({ code, message: expect.stringContaining(message) as string });
});

it('reads settings from .env in its folder, and the environment before it', async () => {
  const operator = makeCommandLine();
  operator.file('.env', 'LOG_LEVEL=loud\nPORT=1234\n');
  expect(await operator.break('migrate')).toContain('LOG_LEVEL=loud');
  expect((await operator.run(['settings', '--quiet'])).code).toBe(1);
  expect((await operator.run(['migrate'], { settings: { LOG_LEVEL: 'info' } })).code).toBe(0);
});

describe('the database', () => {
  it('has a note when the worker last wrote by another clock, and a question while it acts', async () => {
    const operator = makeCommandLine();
    await operator.fill('legit', makeRecord({ id: '1' }));
    const say = (days: number, ...more: string[]) => {
      operator.write((db) => db.write((tx) => writeProbe(tx, Date.now() + days * 86_400_000)));
      return operator.run(['entry', 'edit', '1', '--list', 'legit', '--name', `n${days}`, ...more]);
    };
    for (const days of [0, 0.9, -0.9]) expect((await say(days)).stderr).toBe('');
    const apart = /the clock says \S+, and the worker last wrote at \S+ by its clock; /.source;
    const note = new RegExp(`^note: ${apart}is the clock right\\?\n$`);
    const question = new RegExp(`^${apart}set the clock .* --yes\n$`);
    for (const days of [1.1, -1.1]) {
      const noted = await say(days);
      expect([noted.code, noted.stderr]).toEqual([0, expect.stringMatching(note)]);
      const release = lockForProcess(workerLock(operator.databasePath));
      expect(await operator.fail('entry', 'edit', '1', '--list', 'legit', '--name', 'x')).toMatch(question);
      expect(await say(days, '--yes')).toMatchObject({ code: 0, stderr: '' });
      release?.();
    }
  });

  it('is made by migrate where there is none, and by import, which names it where the settings do not', async () => {
    const operator = makeCommandLine();
    expect(await operator.succeed('migrate')).toBe(`${operator.databasePath} is of this version\n`);

    const other = makeCommandLine();
    other.file('in.ndjson', [makeRecord()]);
    const settings = { DATABASE_PATH: '' };
    const { stderr } = await other.run(['import', 'in.ndjson', '--list', 'legit'], { settings });
    expect(stderr).toBe(`note: DATABASE_PATH is not set; the database is ${other.databasePath}\n`);
  });

  it('is made by no verb that has nothing to do in an empty one', async () => {
    const operator = makeCommandLine();
    for (const verb of [
      'entry show 1',
      'entry edit 1 --list legit --name x',
      'export --list legit',
      'proofs private 1 --list scammers',
      'donation create --ltc 1',
      'import - --list legit --dry-run',
      'rebuild',
      'backup copy',
    ])
      expect(await operator.break(...verb.split(' ')), verb).toContain('there is no database');
    expect(readdirSync(operator.folder)).toEqual([]);
  });

  it('is left alone when it is none', async () => {
    const text = makeCommandLine();
    text.file('data/czujka.db', 'This is a text and no database at all. '.repeat(100));
    const problem = `could not run: ${text.databasePath}: file is not a database\n`;
    expect(await text.break('migrate')).toBe(problem);
  });

  it('gets its rendered forms again by rebuild, and the rest stays', async () => {
    const operator = makeCommandLine();
    const count = 401;
    await operator.fill('scammers', ...Array.from({ length: count }, () => makeRecord()));
    const readRows = (): unknown[] =>
      ['entries', 'contents', 'published'].map((table) =>
        operator.read((read) => read.statement(`SELECT * FROM ${table} ORDER BY row`).all()),
      );
    const before = readRows();
    operator.write((db) => db.connection.exec("UPDATE published SET card = '[]' WHERE row % 3 = 0"));
    expect(await operator.json('rebuild')).toEqual({ entries: count, changed: 133, pictures: 0 });
    expect(readRows()).toEqual(before);
  });

  it('is not written by verbs that only read, which wait for nobody', async () => {
    const operator = await makeMigratedCommandLine();
    const [gone, { id }] = [makeRecord(), makeRecord()];
    await operator.fill('scammers', gone, { ...makeRecord(), id });
    operator.file('shot.png', PNG);
    operator.file('in.ndjson', [makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } })]);
    const data = dirname(operator.databasePath);
    using db = openDatabase(operator.databasePath, 'write');
    removeEntry(db, 'scammers', gone.id, 'appeal', Date.now());
    const before = readdirSync(data);
    const changes = db.connection.pragma('data_version');
    db.connection.exec('BEGIN IMMEDIATE');
    for (const verb of [
      `entry show ${id}`,
      'entry list --list scammers',
      'lookalikes',
      'donation list',
      'incident list',
      'export --list scammers',
      'import in.ndjson --list scammers --dry-run',
      'backup copy',
    ])
      expect(await operator.notes(...verb.split(' ')), verb).toBe('');
    db.connection.exec('ROLLBACK');
    expect(db.connection.pragma('data_version')).toEqual(changes);
    // Backups are made one at a time.
    expect(readdirSync(data)).toEqual(['backup.lock', ...before]);
  });
});
