/** What the operator's commands say, where it is easily of no use. */
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedOperator, makeOperator, toNdjson } from '../../support/run-czujka.ts';

const ON = ['--list', 'scammers'];

describe('import', () => {
  it.each([
    ['{"id":12345678901234567890,"name":"b"}', 'id: must be a string, not 12345678901234567890'],
    ['{"id":"5","id":"6","name":"b"}', 'has the field "id" twice'],
    ['{"id":"5","proofs":{"private":true,"private":false,"items":[]}}', 'has the field "private" twice'],
    ['{"id":"5","\\u0069d":"6"}', 'has the field "\\u0069d" twice'],
  ])('says of %s: %s', async (line, problem) => {
    const operator = makeOperator();
    operator.file('in.ndjson', toNdjson([makeRecord()]) + line);
    const { code, stderr } = await operator.run(['import', 'in.ndjson', ...ON]);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toContain(`in.ndjson:2: ${problem}`);
  });

  it('takes the same field in different objects, and braces and colons in texts', async () => {
    const operator = makeOperator();
    const reason = '{"id": "\\"}", "id": {';
    const items = [{ text: 'a' }, { text: 'b' }];
    operator.file('in.ndjson', [makeRecord({ reason, proofs: { private: false, items } })]);
    expect(await operator.do('import', 'in.ndjson', ...ON)).toMatch(/^added 1,/);
  });

  it('names the line and the place of broken JSON, and no other line', async () => {
    const operator = makeOperator();
    operator.file('in.ndjson', `${toNdjson([makeRecord()])}{"id":"2","name":"a"`);
    const lines = (await operator.run(['import', 'in.ndjson', ...ON])).stderr.trim();
    expect(lines).toMatch(/^in\.ndjson:2: is not valid JSON: .*, at character 21 of the record$/);
    operator.file('in.json', '[\n{"id":"2",\n"name":a}]');
    expect((await operator.run(['import', 'in.json', ...ON])).stderr).toMatch(
      /^in\.json:2: is not valid JSON: /,
    );
    operator.file('in.json', '[\n{"id":"2",\n"name" "a"}]');
    expect((await operator.run(['import', 'in.json', ...ON])).stderr).toMatch(
      /^in\.json:2: is not valid JSON: .*, in line 3\n$/,
    );
  });

  it('names the database where the settings do not', async () => {
    const operator = makeOperator();
    operator.file('in.ndjson', [makeRecord()]);
    const { stderr } = await operator.run(['import', 'in.ndjson', ...ON], {
      settings: { DATABASE_PATH: '' },
    });
    expect(stderr).toBe(
      `note: DATABASE_PATH is not set; the database is ${join(operator.folder, 'data/czujka.db')}\n`,
    );
  });
});

describe('export', () => {
  it('ends quietly when its reader has enough', async () => {
    const operator = makeOperator();
    operator.file(
      'in.ndjson',
      Array.from({ length: 400 }, () => makeRecord({ reason: 'x'.repeat(2_000) })),
    );
    await operator.do('import', 'in.ndjson', ...ON);
    const child = operator.start(['export', ...ON]);
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('entry', () => {
  it('list --json has times as show --json has them', async () => {
    const operator = makeOperator();
    const record = makeRecord();
    await operator.do('import', operator.file('in.ndjson', [record]), ...ON);
    const { entries } = await operator.json<{ entries: { reportedAt: string; updatedAt: string }[] }>(
      ...['entry', 'list', ...ON],
    );
    const [shown] = await operator.json<{ reportedAt: string; updatedAt: string }[]>(
      'entry',
      'show',
      record.id,
    );
    const { reportedAt, updatedAt } = shown ?? {};
    expect(entries[0]).toMatchObject({ reportedAt, updatedAt });
    expect(reportedAt).toMatch(/T.*Z$/);
  });

  it('edit with nothing to change says so', async () => {
    const operator = makeOperator();
    const record = makeRecord();
    await operator.do('import', operator.file('in.ndjson', [record]), ...ON);
    expect(await operator.run(['entry', 'edit', record.id, ...ON])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing to change') as string,
    });
  });
});

describe('proofs add', () => {
  it('counts what is wrong from 1, as --item does', async () => {
    const operator = await makeMigratedOperator();
    const record = makeRecord();
    await operator.do('import', operator.file('in.ndjson', [record]), ...ON);
    const { code, stderr } = await operator.run([
      ...['proofs', 'add', record.id, ...ON, '--public', '--url', 'ftp://a.example/'],
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'item 1: url: must be an http or https address\n' });
  });
});
