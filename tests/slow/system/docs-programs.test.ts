// Needs: curl python3
/**
 * Programs of `/docs` as they stand there, and as `/docs/en` translates them, in every language that they are in; the bot has
 * a stand-in for Discord's library.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import {
  botSample,
  eventsSample,
  inEnglish,
  LIFT_SAMPLE,
  PREFIX_SAMPLES,
  quickStart,
  VERDICT_SAMPLES,
} from '#src/pages/_code-samples.ts';
import { createPrefixPublisher } from '#src/entries/snapshots/publish-prefixes.ts';
import { changeEntry } from '#src/entries/write-entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { renewLogId } from '#src/changes/change-log.ts';
import { removeEntry } from '../../support/change-log.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { publish } from '../../support/publish.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';
import { startTestSite } from '../../support/test-site.ts';

const PYTHON = '/usr/bin/python3';
const LISTED = '1558644164640031523';

/** The part of discord.py that the bot uses. */
const DISCORD = `
class Client:
    pass
`;

/** Follows without pauses, and says what is sent when each ID that is written to it joins. */
const DRIVER = `
import asyncio, sys, time, bot
from types import SimpleNamespace as Having
pause = time.sleep
time.sleep = lambda seconds: pause(min(seconds, 0.02))

async def main():
    client = bot.Bot()
    await client.setup_hook()
    while True:
        line = await asyncio.to_thread(sys.stdin.readline)
        said = []
        async def send(text):
            said.append(text)
        client.get_channel = lambda id: Having(send=send)
        await client.on_member_join(Having(id=int(line)))
        print(" | ".join(said), flush=True)

asyncio.run(main())
`;

const inBoth = (code: string): string[] => [code, inEnglish(code)];

/** @returns the lines that it prints */
async function runProgram(program: string, ...args: readonly string[]): Promise<string[]> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, ended] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(ended).toEqual([0, null]);
  return output.split('\n').slice(0, -1);
}

it.each([
  ['curl', ['/bin/sh', '-c']],
  ['Python', [PYTHON, '-c']],
  ['JavaScript', [process.execPath, '--input-type=module', '-e']],
] as const)('the quick start in %s says the verdict', async (language, [program, ...how]) => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord({ id: LISTED, name: 'kupskin', verified: false })]);
  const site = await startTestSite(db.path);
  const sample = quickStart(site.origin).find((tab) => tab.language === language);
  for (const code of inBoth(sample?.code ?? '')) {
    const said = (await runProgram(program, ...how, code.replace(/^curl /, 'curl -s -w "\\n" '))).join('');
    expect(language === 'curl' ? JSON.parse(said) : { verdict: said }).toMatchObject({ verdict: 'risk' });
  }
});

it.each([
  [
    'Polish',
    (code: string) => code,
    ['Potwierdzone zgłoszenie', 'Zgłoszenie niepotwierdzone', 'Zaufana osoba, konto przejęte'],
  ],
  ['English', inEnglish, ['Confirmed report', 'Unconfirmed report', 'Trusted person, account taken over']],
] as const)(
  'the bot in %s follows additions, removals and a restored backup',
  async (_name, translate, words) => {
    const db = await makeDatabase();
    const first = makeRecord({ id: LISTED, verified: true });
    await importRecords(db, 'scammers', [first]);
    const trusted = ['1572250755006587457', '1572250755006587456'] as const;
    await importRecords(db, 'legit', [
      makeRecord({ id: trusted[0] }),
      makeRecord({ id: trusted[1], account: 'hijacked' }),
    ]);
    await publish(db);
    const site = await startTestSite(db.path);
    const folder = makeFolder();
    writeFileSync(join(folder, 'bot.py'), translate(botSample(site.origin)));
    writeFileSync(join(folder, 'discord.py'), DISCORD);
    writeFileSync(join(folder, 'driver.py'), DRIVER);
    const child = spawn(PYTHON, ['driver.py'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, MODERATORS_CHANNEL: '7' },
    });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout });
    const joined = async (id: string): Promise<string> => {
      child.stdin.write(`${id}\n`);
      const [said] = (await once(lines, 'line')) as [string];
      return said;
    };
    await expect
      .poll(() => joined(LISTED), { timeout: 20_000 })
      .toContain(`${LISTED}: ${words[0]}, ${site.origin}/wpis/R-`);
    // Trusted, and unknown: nothing is said, and above all no praise.
    for (const id of [trusted[0], '1572250755006587458'])
      await expect.poll(() => joined(id), { timeout: 20_000 }).toBe('');

    await importRecords(db, 'scammers', [makeRecord({ id: '1572250755006587459', verified: false })]);
    await expect.poll(() => joined('1572250755006587459'), { timeout: 20_000 }).toContain(words[1]);
    expect(await joined(trusted[1])).toContain(words[2]);
    await changeEntry(db, 'legit', trusted[0], { fields: { account: 'hijacked' } }, {});
    await changeEntry(db, 'legit', trusted[1], { fields: { account: 'own' } }, {});
    await expect.poll(() => joined(trusted[0]), { timeout: 20_000 }).toContain(words[2]);
    expect(await joined(trusted[1])).toBe('');
    removeEntry(db, 'scammers', LISTED, 'appeal', NOW);
    await expect.poll(() => joined(LISTED), { timeout: 20_000 }).toBe('');

    // A restore: the change log is another one, and brings the entry back.
    db.write((tx) => renewLogId(tx));
    await importRecords(db, 'scammers', [makeRecord({ id: '1572250755006587460' })]);
    await publish(db);
    await expect.poll(() => joined('1572250755006587460'), { timeout: 20_000 }).toContain(words[0]);
  },
);

const JOINERS = [
  [LISTED, 'kupskin', 'reported'],
  ['1572250755006587461', 'kupiec', 'risk'],
  ['1572250755006587462', 'Lis_Posrednik', 'trusted'],
  ['1572250755006587463', 'Iis_posrednik', 'looks_like_trusted'],
  ['1572250755006587463', 'ku\u200bpskin', 'looks_like_reported'],
  ['1572250755006587463', 'zwykły nick', 'unknown'],
  ['kupskin', 'kupskin', 'id_malformed'],
] as const;

it.each([
  [
    'JavaScript',
    process.execPath,
    '-e',
    `${VERDICT_SAMPLES.javascript}
const [base, ...members] = process.argv.slice(1);
(async () => { for (const one of members) console.log(await check(base, JSON.parse(one))); })();`,
  ],
  [
    'Python',
    PYTHON,
    '-c',
    `${VERDICT_SAMPLES.python}

import sys, types
for one in sys.argv[2:]: print(check(sys.argv[1], types.SimpleNamespace(**json.loads(one))))`,
  ],
])('a verdict is read as it should be in %s', async (_language, ...[program = '', ...given]) => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [
    makeRecord({ id: LISTED, name: 'kupskin', verified: true }),
    makeRecord({ id: JOINERS[1][0], name: 'kupiec', verified: false }),
  ]);
  await importRecords(db, 'legit', [makeRecord({ id: JOINERS[2][0], name: 'Lis_Posrednik' })]);
  await updateIndexes(db);
  const site = await startTestSite(db.path);
  const members = JOINERS.map(([id, name]) => JSON.stringify({ id, name }));
  for (const [how = '', code = ''] of inBoth(given[1] ?? '').map((code) => [given[0], code])) {
    const ask = (origin: string): Promise<string[]> => runProgram(program, how, code, origin, ...members);
    expect(await ask(site.origin)).toEqual(JOINERS.map(([, , made]) => made));
    // Nobody answers there.
    expect(await ask('http://127.0.0.1:9')).toEqual(JOINERS.map(() => 'not_checked'));
  }
});

it.each([
  [
    'JavaScript',
    process.execPath,
    ['--input-type=module', '-e'],
    `${PREFIX_SAMPLES.javascript}
const [base, ...ids] = process.argv.slice(1);
for (let time = 0; time < 2; time += 1) await refresh(base).catch(() => {});
for (const id of ids) console.log(await check(base, id));`,
  ],
  [
    'Python',
    PYTHON,
    ['-c'],
    `${PREFIX_SAMPLES.python}

import sys
for time_ in range(2):
    try: refresh(sys.argv[1])
    except (OSError, ValueError): pass
for id in sys.argv[2:]: print(check(sys.argv[1], id))`,
  ],
] as const)('asks for listed IDs only, after hash prefixes, in %s', async (_name, program, how, code) => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord({ id: LISTED, verified: true })]);
  await createPrefixPublisher(db).publish();
  const site = await startTestSite(db.path);
  // The last two lost digits, or are no ID: that they are not listed means nothing.
  const ids = [LISTED, '1572250755006587463', '1572250755006587400', '<@1558644164640031523>'];
  const { origin: notCzujka } = await startLoopbackServer((_request, response) => response.end('Log in'));
  for (const sample of inBoth(code)) {
    const ask = (origin: string): Promise<string[]> => runProgram(program, ...how, sample, origin, ...ids);
    expect(await ask(site.origin)).toEqual(['reported', 'unknown', 'id_rounded', 'id_malformed']);
    for (const origin of ['http://127.0.0.1:9', notCzujka])
      expect(await ask(origin)).toEqual(ids.map(() => 'not_checked'));
  }
});

it('lifts the ban of a report that is removed, doubted, about another ID or a recovered account, and no other', async () => {
  const db = await makeDatabase();
  const about = [LISTED, ...['57', '58', '59'].map((end) => `15722507550065874${end}`)];
  const records = about.map((id, at) => makeRecord({ id, reportId: `R-${at}` }));
  await importRecords(db, 'scammers', records);
  for (const at of [4, 5]) {
    const id = `157225075500658746${at}`;
    about.push(id);
    await importRecords(db, 'legit', [makeRecord({ id, reportId: `R-${at}`, account: 'hijacked' })]);
  }
  const site = await startTestSite(db.path);
  const { next } = await site.json<{ next: string }>('/api/changes');
  removeEntry(db, 'scammers', LISTED, 'appeal', NOW);
  const change = (name: string, fields: Partial<ImportRecordInput>) =>
    changeEntry(db, 'scammers', name, { fields }, {});
  await change('R-1', { verified: false });
  await change('R-2', { id: '1572250755006587499' });
  await change('R-3', { name: 'inny nick' });
  await changeEntry(db, 'legit', 'R-4', { fields: { account: 'own' } }, {});
  await changeEntry(db, 'legit', 'R-5', { fields: { name: 'inny nick' } }, {});
  for (const code of inBoth(LIFT_SAMPLE)) {
    const program = `${code}
const [base, since, ...ids] = process.argv.slice(1);
const bans = new Map(ids.map((id, at) => ['R-' + at, id]));
const lifted = [];
const then = await liftBans(base, since, bans, async (id) => void lifted.push(id));
console.log(lifted.join(), [...bans.keys()].join(), then !== since);
await liftBans(base, '${'0'.repeat(16)}-1', bans).catch(({ message }) => console.log(message));`;
    expect(
      await runProgram(process.execPath, '--input-type=module', '-e', program, site.origin, next, ...about),
    ).toEqual([`${about.toSpliced(3, 1).slice(0, 4).join()} R-3,R-5 true`, '410']);
  }
});

it('follows events, and starts from the manifest when the cursor is gone', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord({ id: LISTED })]);
  const site = await startTestSite(db.path);
  const run = (sample: string, next: string): Promise<string[]> =>
    runProgram(
      process.execPath,
      ...['--experimental-eventsource', '--disable-warning=UNDICI-ES', '--input-type=module', '-e'],
      `const page = { next: '${next}' };
const copy = new Map();
const startFromManifest = () => { console.log('manifest'); process.exit(); };
const setTimeout = (work) => work();
${sample}
setInterval(() => { if (copy.size === 1) { console.log([...copy.values()][0].list); process.exit(); } }, 20);`,
    );
  const { next } = await site.json<{ next: string }>('/api/changes?limit=1');
  await importRecords(db, 'scammers', [makeRecord({ id: '1572250755006587457' })]);
  for (const sample of inBoth(eventsSample(site.origin))) {
    expect(await run(sample, next)).toEqual(['scammers']);
    expect(await run(sample, `${'0'.repeat(16)}-1`)).toEqual(['manifest']);
  }
});
