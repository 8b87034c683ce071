/** `appeal`: one is noted, decided, mended or taken back, and what mirrors see of it. */
import { beforeEach, expect, it } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { mirrored } from '../../support/stored-entries.ts';

const ID = '1572250755006587457';
const NUMBER = 'R-ABCDEFGHJK';
const REPORTED = '2026-10-20T12:00:00.000Z';
const OPENED = '2026-11-03T00:00:00.000Z';
const ON = ['--list', 'scammers'] as const;
const UPHOLD = ['appeal', 'uphold', NUMBER, '--note'] as const;

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
  await operator.fill('scammers', makeRecord({ id: ID, reportId: NUMBER, reportedAt: REPORTED }));
  await operator.fill('legit', makeRecord({ reportId: 'R-TRUSTED' }));
});

const shown = (): unknown => mirrored(operator, ID)?.appeal;
const changes = (): unknown =>
  operator.read((db) => db.statement('SELECT count(*) FROM changes').pluck().get());
const open = (at = '2026-11-03'): Promise<string> => operator.succeed('appeal', 'open', NUMBER, '--at', at);
const decided = (note: string | null) => ({
  openedAt: OPENED,
  decidedAt: expect.any(String) as string,
  outcome: 'upheld',
  note,
});
const waiting = { openedAt: OPENED, decidedAt: null, outcome: null, note: null };

it('is open from its day, then upheld with a note that may be mended, and a new one takes its place', async () => {
  expect(shown()).toBeNull();
  await open();
  expect(shown()).toEqual(waiting);
  await operator.succeed(...UPHOLD, ' przelew jest z tego samego dnia ');
  expect(shown()).toEqual(decided('przelew jest z tego samego dnia'));
  await operator.succeed(...UPHOLD, 'przelew i rozmowa się zgadzają', '--replace');
  expect(shown()).toEqual(decided('przelew i rozmowa się zgadzają'));
  await open('2026-11-20');
  expect(shown()).toEqual({ ...waiting, openedAt: '2026-11-20T00:00:00.000Z' });
});

it('that is taken back leaves the one before', async () => {
  await open();
  await operator.succeed(...UPHOLD, 'powód');
  await open();
  await operator.succeed('appeal', 'cancel', NUMBER);
  expect(shown()).toEqual(decided('powód'));
});

it('is kept by an import, an edit of the ID and both marks, and stands in the history with its author', async () => {
  await operator.succeed('appeal', 'open', NUMBER.toLowerCase(), '--at', '2026-11-03', '--by', 'ola');
  await operator.fill('scammers', makeRecord({ id: ID, name: 'inny', verified: false }));
  await operator.succeed('entry', 'verify', ID, ...ON);
  await operator.succeed('entry', 'edit', ID, ...ON, '--id', '1572250755006587458');
  await operator.succeed('entry', 'edit', '1572250755006587458', ...ON, '--id', ID);
  expect(shown()).toEqual(waiting);
  const [entry] = await operator.json<{ appeal: unknown; history: unknown[] }[]>('entry', 'show', ID);
  expect(entry?.appeal).toEqual(waiting);
  expect(entry?.history).toContainEqual(
    expect.objectContaining({ op: 'updated', fields: ['appeal'], by: 'ola' }),
  );
  expect(await operator.succeed('entry', 'show', ID)).toContain(`appeal from ${OPENED}, open\n`);
  expect(await operator.succeed('export', ...ON)).not.toContain('appeal');
});

it('is listed while it is open, oldest first, and ends with its entry', async () => {
  await operator.fill('servers', makeRecord({ id: '7', name: 'b', reportId: 'R-B', reportedAt: REPORTED }));
  await open();
  await operator.succeed('appeal', 'open', 'R-B', '--at', '2026-11-02T10:00:00+01:00');
  const listed = () => operator.json<{ reportId: string }[]>('appeal', 'list');
  expect(await listed()).toEqual([
    { list: 'servers', id: '7', name: 'b', reportId: 'R-B', openedAt: '2026-11-02T09:00:00.000Z' },
    expect.objectContaining({ reportId: NUMBER }),
  ]);
  expect(await operator.succeed('appeal', 'list')).toBe(
    `2026-11-02\tR-B\tb\n2026-11-03\t${NUMBER}\t${(await operator.json<{ name: string }[]>('entry', 'show', ID))[0]?.name}\n2 open\n`,
  );
  await operator.succeed('entry', 'remove', '7', '--list', 'servers', '--reason', 'appeal');
  await operator.succeed(...UPHOLD, 'powód');
  expect(await listed()).toEqual([]);
  expect(operator.read((db) => db.statement('SELECT count(*) FROM appeals').pluck().get())).toBe(1);
});

it.each<[string, string, string[]]>([
  ['an unknown number', 'not_found', ['open', 'R-NOBODY']],
  ['a trusted person', 'invalid', ['open', 'R-TRUSTED']],
  ['a moment to come', 'invalid', ['open', NUMBER, '--at', new Date(Date.now() + 3_600_000).toISOString()]],
  ['a time without a zone', 'invalid', ['open', NUMBER, '--at', '2026-11-03T10:00:00']],
  ['no day', 'invalid', ['open', NUMBER, '--at', '2026-02-30']],
  ['one that is not open', 'not_found', ['cancel', NUMBER]],
  ['none', 'not_found', ['uphold', NUMBER, '--note', 'x']],
  ['none to mend', 'not_found', ['uphold', NUMBER, '--note', 'x', '--replace']],
])('refuses %s with %s, and writes nothing', async (_what, code, args) => {
  const before = changes();
  expect(await operator.json('appeal', ...args)).toMatchObject({ ok: false, error: { code } });
  expect([changes(), shown()]).toEqual([before, null]);
});

it.each([
  ['an empty note', ' '],
  ['an invisible note', '\u200b'],
  ['a note of 301 characters', '🦉'.repeat(301)],
  ['a note of two lines', 'a\nb'],
  ['an address', 'bo https://example.com'],
  ['an address without a scheme', 'bo example.com/a'],
  ['a short address', 'pisz na t.me/abc'],
  ['an e-mail address', 'pisz do ala@example.pl'],
])('refuses %s', async (_what, note) => {
  await open();
  const before = changes();
  const answer = await operator.json('appeal', 'uphold', NUMBER, '--note', note);
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid' } });
  expect([changes(), shown()]).toEqual([before, waiting]);
});

it('takes a note of 300 characters with abbreviations, dates and signs of markup', async () => {
  await open();
  const words = `m.in. wpłata z 20.10.2026 r., 120 zł <b>&"'*_`;
  const note = words + '🦉'.repeat(300 - words.length);
  await operator.succeed(...UPHOLD, note);
  expect(shown()).toEqual(decided(note));
});

it('refuses a second open one, a second decision, and to mend an open one, each with what is there', async () => {
  await open();
  expect(await operator.json('appeal', 'open', NUMBER)).toMatchObject({
    error: { code: 'exists', openedAt: OPENED },
  });
  expect(await operator.json(...UPHOLD, 'x', '--replace')).toMatchObject({ error: { code: 'not_found' } });
  await operator.succeed(...UPHOLD, 'powód');
  expect(await operator.json(...UPHOLD, 'inny')).toMatchObject({ error: { code: 'exists' } });
  expect(shown()).toEqual(decided('powód'));
});

it('refuses one for a removed entry, and says when and why it went', async () => {
  await open();
  await operator.succeed('entry', 'remove', ID, ...ON, '--reason', 'appeal');
  for (const args of [['open'], ['cancel'], ['uphold', '--note', 'x']])
    expect(await operator.json('appeal', args[0] ?? '', NUMBER, ...args.slice(1))).toMatchObject({
      error: { code: 'removed', reasonCode: 'appeal', removedAt: expect.any(String) as string },
    });
  const facts = ['--name=x', '--reason=y', `--report-id=${NUMBER}`];
  await operator.succeed('entry', 'add', ID, ...ON, ...facts, '--yes');
  expect(shown()).toBeNull();
});

it('is given back by no import that is taken back, and loses its note to a redaction alone', async () => {
  const file = operator.file('a.ndjson', [makeRecord({ id: ID, name: 'po imporcie' })]);
  await open();
  await operator.succeed(...UPHOLD, 'powód');
  await operator.succeed('import', file, ...ON);
  await operator.succeed('import', '--undo', '--yes');
  await operator.succeed('entry', 'edit', ID, ...ON, '--append', 'Dalej.', '--forget-names');
  expect(shown()).toEqual(decided('powód'));
  await operator.succeed('entry', 'edit', ID, ...ON, '--redact', '--name', 'x', '--keep-proofs');
  expect(shown()).toEqual(decided(null));
});
