/** The sample bot as it stands there, with a stand-in for the platform's library, over a real `batch`. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ID = '1572250755006587457';
const ROLE = '77';
const RISK = 'risk public';

type Did = Readonly<Record<string, unknown>> & { readonly did: string };

let operator: Operator;
let pictures: string;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
  const photo = await makePhoto();
  const files: Readonly<Record<string, Buffer>> = {
    '/1.jpg': photo,
    '/2.jpg': await makePhoto(1),
    '/3.jpg': Buffer.from('?'),
    '/4.jpg': await makePhoto(2),
  };
  const server = await startLoopbackServer(({ url = '' }, response) => void response.end(files[url]));
  pictures = server.origin;
});

function startBot() {
  const folder = makeFolder();
  cpSync(join(ROOT, 'scripts/sample/bot'), folder, { recursive: true });
  const library = join(folder, 'node_modules/discord.js');
  mkdirSync(library, { recursive: true });
  cpSync(join(ROOT, 'tests/support/discord-stand-in.mjs'), join(library, 'index.js'));
  writeFileSync(join(library, 'package.json'), '{"type":"module","exports":"./index.js"}');
  const child = spawn(process.execPath, ['bot.js'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...cleanEnvironment({ DATABASE_PATH: operator.databasePath }),
      MODERATORS_CHANNEL: '5',
      MODERATORS_ROLE: ROLE,
      CZUJKA_BATCH: `${process.execPath} ${join(ROOT, 'scripts/czujka.ts')} --by bot batch`,
    },
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Did> => JSON.parse(((await lines.next()) as { value: string }).value) as Did;
  return {
    next,
    async send(interaction: object): Promise<Did> {
      child.stdin.write(`${JSON.stringify(interaction)}\n`);
      return next();
    },
  };
}

const report = (number: string, names: readonly string[], more: object = {}) => ({
  id: number,
  content: '',
  embeds: [
    {
      title: '--yes',
      description: 'Zaliczka **120 zł**, cisza.',
      fields: [
        { name: 'ID', value: ID },
        { name: 'Zgłasza', value: '9' },
      ],
    },
  ],
  attachments: names.map((name) => ({ name, url: `${pictures}/${name}` })),
  ...more,
});
const press = (customId: string, message: object, roles = [ROLE]) => ({
  kind: 'button',
  customId,
  roles,
  user: { username: 'ola' },
  message,
});

it('takes a report by a form, and asks the moderators', async () => {
  const bot = startBot();
  expect(await bot.next()).toMatchObject({ did: 'commands' });
  expect(await bot.send({ kind: 'menu', author: { id: ID, username: 'kupskin' } })).toMatchObject({
    form: { components: [{ component: { value: 'kupskin' } }, { component: { value: ID } }, {}, {}] },
  });
  const filled = { kind: 'form', user: { id: '9' }, fields: { nick: 'kupskin', id: ID, reason: 'Cisza.' } };
  const short = { ...filled.fields, id: '12' };
  expect(await bot.send({ ...filled, fields: short })).toMatchObject({ did: 'reply' });
  const large = [{ url: `${pictures}/1.jpg`, name: '1.jpg', size: 48_000_001 }];
  expect(await bot.send({ ...filled, pictures: large })).toMatchObject({ did: 'reply' });
  const one = [{ url: `${pictures}/1.jpg?ex=1`, name: 'zrzut.jpg', size: 1_000 }];
  expect(await bot.send({ ...filled, pictures: one })).toMatchObject({ did: 'reply' });
  expect(await bot.next()).toMatchObject({
    did: 'send',
    channel: '5',
    message: { allowedMentions: { parse: [] }, files: [{ name: '1.jpg' }], embeds: [{ title: 'kupskin' }] },
  });
});

it('adds a report with its pictures by one button, and once when it is pressed twice', async () => {
  let bot = startBot();
  await bot.next();
  const message = report('101', ['1.jpg', '2.jpg']);
  expect(await bot.send(press(RISK, message, []))).toMatchObject({ did: 'reply' });
  const done = { did: 'edit', changes: { attachments: [], components: [] } };
  expect(await bot.send(press(RISK, message))).toMatchObject(done);
  expect(await bot.next()).toMatchObject({ did: 'tell', user: '9' });
  // Another process, as after a restart: nothing is stored but the message.
  bot = startBot();
  await bot.next();
  expect(await bot.send(press('verified private', message))).toMatchObject(done);
  const shown = await operator.json<{ entries: object[] }>('entry', 'list', '--list', 'scammers');
  expect(shown.entries).toMatchObject([{ id: ID, name: '--yes', verified: false, proofs: 'public' }]);
  const [proofs] = await operator.json<{ items: object[] }[]>('proofs', 'show', ID);
  expect(proofs?.items).toHaveLength(2);
});

it.each(['R-218-17', 'zg_218', '-w.1'])(
  'offers to add the pictures to the listed entry %s',
  async (number) => {
    const bot = startBot();
    await bot.next();
    // Another person's number is the beginning of this one.
    const [other, mine] = [makeRecord({ reportId: 'R-218' }), makeRecord({ id: ID, reportId: number })];
    await operator.fill('scammers', other, mine);
    const offered = async (message: object, pressed = RISK): Promise<string[]> => {
      const did = await bot.send(press(pressed, message));
      const { content, components } = did['changes'] as { content: string; components: { components: { custom_id: string; label: string }[] }[] }; // prettier-ignore
      const [button] = components[0]?.components ?? [];
      return [content, button?.custom_id ?? '', button?.label ?? ''];
    };
    const [content, add = '', label] = await offered(report('102', ['1.jpg']));
    expect([content, label]).toEqual([`Jest już wpis ${number}.`, 'Dołóż obrazki, nie będą publiczne']);
    const [failure, again = ''] = await offered(report('103', ['3.jpg']), add);
    expect([failure, again]).toEqual([expect.stringMatching(/^Nie dodano: /), add]);
    for (const names of [['1.jpg'], ['1.jpg', '2.jpg']]) {
      // The second one as after a press that was cut off at the second picture.
      expect(await bot.send(press(again, report('102', names)))).toMatchObject({
        changes: { attachments: [] },
      });
      await bot.next();
    }
    const shown = () => operator.json<object[]>('proofs', 'show', ID);
    expect(await shown()).toMatchObject([
      { proofs: 'private', items: [{ file: '1.jpg' }, { file: '2.jpg' }] },
    ]);
    await operator.succeed('proofs', 'public', ID, '--list', 'scammers');
    const hidden = report('104', ['4.jpg']);
    for (const pressed of [again, 'risk private'])
      expect((await offered(hidden, pressed))[2]).toBe('Dołóż obrazki, będą publiczne');
    expect(await shown()).toMatchObject([{ proofs: 'public', items: [{}, {}] }]);
    expect(await operator.json<object[]>('proofs', 'show', 'R-218')).toMatchObject([{ items: [] }]);
    expect(await bot.send(press('discard', hidden))).toMatchObject({ changes: { attachments: [] } });
  },
);

it('says why a picture was not taken, and adds nothing', async () => {
  const bot = startBot();
  await bot.next();
  const refused = await bot.send(press(RISK, report('105', ['1.jpg', '3.jpg'])));
  expect(refused).toMatchObject({ changes: { content: expect.stringContaining('Nie dodano: ') as string } });
  expect(await operator.json('entry', 'list', '--list', 'scammers')).toMatchObject({ total: 0 });
});
