import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { LookAlikePair } from '#src/operator/look-alike-pairs.ts';
import { runCli } from '#src/operator/run-cli.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';

const LIS = '280864204968068869';
const KOWAL = '186641673942725999';

it('tells an operator which names look like trusted ones, and refuses nothing', async () => {
  const operator = makeCommandLine();
  const legit = operator.file('legit.ndjson', [
    makeRecord({ id: LIS, name: 'Lis_Posrednik' }),
    makeRecord({ id: KOWAL, name: 'kowal z targu' }),
  ]);
  await operator.succeed('import', legit, '--list', 'legit');

  const scammers = operator.file('scammers.ndjson', [
    makeRecord({ id: '11', name: 'Lis_Posrednlk' }),
    makeRecord({ id: '12', name: 'ktoś inny' }),
    // The same person on both lists looks like nobody.
    makeRecord({ id: KOWAL, name: 'kowal_z_targu' }),
  ]);
  // As on a terminal, in the order in which it is written.
  const terminal = new PassThrough();
  const streams = { stdin: Readable.from([]), stdout: terminal, stderr: terminal };
  const settings = cleanEnvironment({ DATABASE_PATH: operator.databasePath });
  const importing = ['import', join(operator.folder, scammers), '--odd-id', '--list', 'scammers'];
  expect(await runCli(importing, streams, settings)).toBe(0);
  terminal.end();
  const line = `scammers 11 "Lis_Posrednlk" looks like the trusted ${LIS} "Lis_Posrednik": same_shape, l instead of i`;
  const notes = `note: ${line}\nnote: legit has 1 entry with the same ID: ${KOWAL}\n`;
  expect(await text(terminal)).toBe(`${notes}added 3, updated 0, unchanged 0, rejected 0\n`);
  const add = 'entry add 21 --odd-id --list servers --risk --reason Powód.'.split(' ');
  expect(await operator.notes(...add, '--name', 'kоwal z targu')).toBe(
    `note: servers 21 "kоwal z targu" looks like the trusted ${KOWAL} "kowal z targu": same_shape, о (U+43E) instead of o\n`,
  );
  const addTrusted = 'entry add 31 --odd-id --list legit --reason Powód. --name'.split(' ');
  expect((await operator.run([...addTrusted, 'Ktos 1nny'])).stderr).toContain(
    'scammers 12 "ktoś inny" looks like the trusted 31 "Ktos 1nny"',
  );

  const all = await operator.succeed('lookalikes');
  expect(all.split('\n').filter((one) => one.includes(' looks like ')).length).toBe(3);
  expect(all).toContain(line);
  expect(all).toMatch(/3 pairs\n$/);
  const ofServers = await operator.json<LookAlikePair[]>('lookalikes', '--list', 'servers');
  expect(ofServers.map(({ reported, trusted: { id }, why }) => [reported.id, id, why])).toEqual([
    ['21', KOWAL, 'same_shape'],
  ]);
});
