/** A moderator's week: who changed what, IDs that are corrected, texts that are redacted, mistakes that a backup undoes. */
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { avatarsFolder } from '#src/avatars/avatar-store.ts';
import { removedKeyPath } from '#src/removals/removed-key.ts';
import { openDatabase } from '#src/db/database.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';

const ID = '280864204968068869';
const OTHER = '280864204968068870';
const ON = ['--list', 'scammers'] as const;
const PROOFS = { private: false, items: [{ text: 'dowód' }] };

async function makeWith(...records: readonly Parameters<typeof makeRecord>[0][]): Promise<Operator> {
  const operator = await makeMigratedCommandLine();
  await operator.fill('scammers', ...records.map((record) => makeRecord(record)));
  return operator;
}

const historyOf = async (operator: Operator, name: string) =>
  (await operator.json<[{ history: { account?: string }[] }]>('entry', 'show', name))[0].history;

describe('the history of an entry', () => {
  it('says who changed which fields', async () => {
    const operator = await makeWith({ id: ID, name: 'a', reason: 'x', reportId: 'R-1' });
    await operator.succeed('entry', 'edit', ID, ...ON, '--name', 'b', '--reason', 'y', '--by', 'ala');
    await operator.run(['entry', 'unverify', ID, ...ON], { settings: { CZUJKA_BY: 'ola' } });
    const settings = { CZUJKA_BY: 'ola', SUDO_USER: 'jan' };
    await operator.run(['entry', 'remove', ID, ...ON, '--reason', 'appeal', '--by', 'ala'], { settings });
    expect((await historyOf(operator, 'R-1')).slice(1)).toMatchObject([
      { op: 'updated', fields: ['name', 'reason'], by: 'ala' },
      { op: 'updated', fields: ['verified'], by: 'ola' },
      { op: 'removed', reason: 'appeal', by: 'jan' },
    ]);
    const shown = await operator.succeed('entry', 'show', 'R-1');
    expect(shown).toMatch(/ updated \(edit\): name, reason, by ala\n/);
  });

  it('says whether an account was hijacked or recovered, while it has an entry', async () => {
    const operator = await makeWith({ id: ID, name: 'a', reportId: 'R-1' });
    for (const change of [['--hijacked'], ['--name', 'b'], ['--own'], ['--hijacked', '--name', 'c']])
      await operator.succeed('entry', 'edit', ID, ...ON, ...change);
    const read = async () => (await historyOf(operator, 'R-1')).map(({ account }) => account);
    expect(await read()).toEqual([undefined, 'hijacked', undefined, 'own', 'hijacked']);
    expect((await operator.succeed('entry', 'show', 'R-1')).match(/account \w+/g)?.slice(-3)).toEqual([
      'account hijacked',
      'account recovered',
      'account hijacked',
    ]);
    await operator.succeed('entry', 'remove', ID, ...ON, '--reason', 'recovered');
    expect(await read()).toEqual(Array(6).fill(undefined));
  });

  it('refuses a name of more than one line', async () => {
    const operator = await makeWith({ id: ID, name: 'a' });
    expect(await operator.fail('entry', 'edit', ID, ...ON, '--name', 'b', '--by', 'zła\nnazwa')).toBe(
      '--by must be 1 to 64 characters, none of them a control character\n',
    );
  });
});

describe('an entry is named', () => {
  it('by its nick in no verb that writes, which says the IDs', async () => {
    const operator = await makeWith(
      { id: ID, name: 'Kupskin', reportId: 'R-1' },
      { id: OTHER, name: 'kupskin', reportId: 'R-2' },
    );
    const there = `${ID} (R-1), ${OTHER} (R-2)`;
    expect(await operator.fail('entry', 'verify', 'KUPSKIN', ...ON)).toBe(
      `scammers has no entry with the ID KUPSKIN; with that name there are: ${there}\n`,
    );
  });

  it('with many others on standard input, which are all looked at first', async () => {
    const operator = await makeWith({ id: ID, reportId: 'R-1' }, { id: OTHER });
    const args = ['entry', 'remove', '-', ...ON, '--reason', 'mistake'];
    const refused = await operator.run(args, { input: `${ID}\n1\n` });
    expect(refused).toMatchObject({ code: 1, stderr: 'scammers has no entry with the ID 1\n' });
    const unknown = Array.from({ length: 52 }, (_, index) => index);
    const { stderr } = await operator.run(args, { input: [ID, ...unknown].join('\n') });
    expect(stderr.split('\n').slice(-4)).toEqual(['scammers has no entry with the ID 49', '… and 2 more', 'nothing was removed', '']); // prettier-ignore
    const { stdout } = await operator.run(args, { input: `R-1\n\n${OTHER}\r\n${ID}\n` });
    expect(stdout).toBe([ID, OTHER].map((id) => `removed ${id} from scammers: mistake\n`).join(''));
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('with many others, and goes on after a %s', async (signal) => {
    const entries = Array.from({ length: 2_400 }, (_, index) => ({ id: `${10n ** 17n + BigInt(index)}` }));
    const operator = await makeWith(...entries);
    const input = entries.map(({ id }) => id).join('\n');
    const args = ['entry', 'remove', '-', ...ON, '--reason', 'mistake'];
    using db = openDatabase(operator.databasePath, 'write');
    const count = () => db.statement<number>('SELECT count(*) FROM entries').pluck().get() ?? 0;
    const verb = operator.start(args);
    const [said, ended] = [text(verb.stderr), once(verb, 'exit')];
    verb.stdin.end(input);
    // With the lock, so that not all steps are over before the signal.
    const lock = () => db.connection.exec('BEGIN IMMEDIATE');
    for (lock(); count() === entries.length; lock()) {
      db.connection.exec('COMMIT');
      await setTimeout(5);
    }
    verb.kill(signal);
    db.connection.exec('COMMIT');
    expect(await ended).toEqual(signal === 'SIGTERM' ? [2, null] : [null, signal]);
    const done = entries.length - count();
    const ending = `ended after ${done} of 2400 entries; run the command again to go on\n`;
    expect(await said).toBe(signal === 'SIGTERM' ? `could not run: ${ending}` : '');
    const { code, stdout, stderr } = await operator.run(args, { input });
    expect([code, count(), stdout.split('\n').length - 1]).toEqual([0, 0, entries.length - done]);
    expect(stderr).toMatch(new RegExp(`^note: removed already: ${done} entries \\(10{17}, .* and ${done - 10} more\\)\n$`)); // prettier-ignore
  });
});

describe('an ID that was mistaken', () => {
  it('is corrected; the entry stays the same one', async () => {
    const operator = await makeWith({ id: ID, reportId: 'R-1', views: 7, proofs: PROOFS });
    const avatars = avatarsFolder(operator.databasePath);
    mkdirSync(avatars, { recursive: true });
    writeFileSync(join(avatars, `${ID}.webp`), '');
    const before = operator.read((db) => findEntryRowByChatId(db, 'scammers', ID));
    await operator.succeed('entry', 'edit', ID, ...ON, '--id', OTHER);
    operator.read((db) => {
      expect(findEntryRowByChatId(db, 'scammers', ID)).toBeUndefined();
      const { updated_at: _at, ...same } = { ...before };
      expect(findEntryRowByChatId(db, 'scammers', OTHER)).toMatchObject({ ...same, chat_id: OTHER });
      expect(db.statement('SELECT chat_id, json ->> ? AS id FROM published').get('id')).toEqual({
        chat_id: OTHER,
        id: OTHER,
      });
      expect(db.statement('SELECT op FROM changes').pluck().all()).toEqual(['added', 'updated']);
    });
    expect(existsSync(join(avatars, `${ID}.webp`))).toBe(false);
    expect((await historyOf(operator, 'R-1')).at(-1)).toMatchObject({ op: 'updated', fields: ['id'] });
  });

  it('is not replaced by one that the list has', async () => {
    const operator = await makeWith({ id: ID }, { id: OTHER });
    expect(await operator.fail('entry', 'edit', ID, ...ON, '--id', OTHER)).toBe(
      `id: ${OTHER} has an entry in scammers already\n`,
    );
  });
});

it('a redaction says what stands there instead', async () => {
  const operator = await makeWith({ id: ID });
  expect(await operator.fail('entry', 'edit', ID, ...ON, '--redact', '--verified')).toMatch(
    /^--redact needs --name, --reason or --reason-file: what stands/,
  );
});

describe('a former name', () => {
  const renamed = async (): Promise<Operator> => {
    const operator = await makeWith({ id: ID, name: 'dawny' });
    await operator.succeed('entry', 'edit', ID, ...ON, '--name', 'nowy');
    return operator;
  };
  const formerNames = async (operator: Operator, list = 'scammers'): Promise<unknown> =>
    (await operator.json<[{ formerNames: unknown }]>('entry', 'show', ID, '--list', list))[0].formerNames;
  const importNamed = (operator: Operator, name: string) =>
    operator.succeed('import', operator.file('in.ndjson', [makeRecord({ id: ID, name })]), ...ON);

  it('is kept by an edit and an import, five at most, newest first, without the one of today', async () => {
    const operator = await renamed();
    for (const name of ['a', 'b', 'nowy', 'c', 'd', 'e']) await importNamed(operator, name);
    expect(await formerNames(operator)).toEqual(['d', 'c', 'nowy', 'b', 'a']);
    await operator.succeed('entry', 'edit', ID, ...ON, '--name', 'c');
    expect(await formerNames(operator)).toEqual(['e', 'd', 'nowy', 'b']);
    expect(await operator.succeed('entry', 'show', ID)).toContain('\nformer names: e, d, nowy, b\n');
  });

  it('is not kept of trusted people, and stays when the ID is corrected', async () => {
    const operator = await renamed();
    await operator.fill('legit', makeRecord({ id: ID, name: 'zaufany' }));
    await operator.succeed('entry', 'edit', ID, '--list', 'legit', '--name', 'inny');
    expect(await formerNames(operator, 'legit')).toEqual([]);
    await operator.succeed('entry', 'edit', ID, ...ON, '--id', OTHER);
    expect(await operator.json('entry', 'show', OTHER)).toMatchObject([{ formerNames: ['dawny'] }]);
  });

  it.each([
    ['--forget-names', ['--forget-names'], ['formerNames']],
    ['--redact', ['--redact', '--name', 'x'], ['name', 'formerNames']],
  ])('is erased by %s', async (_option, options, fields) => {
    const operator = await renamed();
    await operator.succeed('entry', 'edit', ID, ...ON, ...options);
    expect(await formerNames(operator)).toEqual([]);
    expect((await historyOf(operator, ID)).at(-1)).toMatchObject({ fields });
  });
});

describe('one who was removed', () => {
  const removed = async (): Promise<Operator> => {
    const operator = await makeWith({ id: ID });
    await operator.succeed('entry', 'remove', ID, ...ON, '--reason', 'appeal');
    return operator;
  };
  const again = (operator: Operator) =>
    operator.run(['import', operator.file('old.ndjson', [makeRecord({ id: ID })]), ...ON, '--yes']);

  it('is known again by the ID alone', async () => {
    const operator = await removed();
    const key = removedKeyPath(operator.databasePath);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const tombstones = operator.read((db) => db.statement('SELECT * FROM tombstones').all());
    expect(JSON.stringify(tombstones)).not.toContain(ID);
    const { stderr } = await again(operator);
    expect(stderr).toMatch(
      new RegExp(`^note: old\\.ndjson:1: id: ${ID} was removed before \\(appeal, .*\\) and comes back\n$`),
    );
    await operator.succeed('entry', 'remove', ID, ...ON, '--reason', 'appeal');
    const add = ['entry', 'add', ID, ...ON, '--name', 'a', '--reason', 'b'];
    expect(await operator.fail(...add)).toMatch(/ was removed from scammers \(appeal, .*\); --yes adds it/);
    expect((await operator.run([...add, '--yes'])).stderr).toContain('was removed before (appeal');
  });

  it('is not listed unasked by the ID of another entry', async () => {
    const operator = await removed();
    const { id } = makeRecord();
    await operator.fill('scammers', makeRecord({ id }));
    const edit = ['entry', 'edit', id, ...ON, '--id', ID];
    expect(await operator.fail(...edit)).toMatch(/^\d+ was removed from scammers \(appeal, .*--yes adds it/);
    expect((await operator.run([...edit, '--yes'])).stderr).toContain('was removed before (appeal');
    expect((await operator.run(['entry', 'edit', ID, ...ON, '--name', 'b'])).stderr).toBe('');
  });

  it('cannot be told when the key is cut', async () => {
    const operator = await removed();
    const key = removedKeyPath(operator.databasePath);
    writeFileSync(key, 'abc');
    expect((await again(operator)).stderr).toContain(
      `note: ${key} is missing, or is no key: removed IDs are not known again`,
    );
  });
});
