/** The verb `appeal`: notes appeals against entries, and what was decided. `entry remove --reason appeal` grants one. */
import type { Command } from 'commander';
import type { Transaction } from '../db/database.ts';
import { listOpenAppeals } from '../entries/appeals.ts';
import {
  cancelAppeal,
  openAppeal,
  upholdAppeal,
  type Appealed,
  type Actor,
} from '../entries/write-appeal.ts';
import { dayInPoland } from '../text/calendar.ts';
import { print, type Cli } from './console/cli.ts';
import { formatAppeal } from './describe-entry.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

interface Options {
  at?: string;
  note?: string;
  replace?: true;
}

export function addVerbs(program: Command, cli: Cli): void {
  const appeal = program
    .command('appeal')
    .description('appeals against entries; "entry remove --reason appeal" grants one and closes it');
  const act = (
    verb: string,
    description: string,
    work: (tx: Transaction, number: string, actor: Actor, options: Options) => Appealed,
  ): Command =>
    appeal
      .command(verb)
      .description(description)
      .argument('<number>', 'report number')
      .action(async (number: string, options: Options) => {
        const db = await openToWrite(cli);
        const actor = { by: cli.by, now: Date.now() };
        const done = db.write((tx) => work(tx, number, actor, options));
        print(cli, done, `${done.list}: ${done.reportId}, ${formatAppeal(done.appeal)}`);
      });

  act('open', 'note an appeal, which the page of the entry then tells of', (tx, number, actor, { at }) =>
    openAppeal(tx, number, actor, at),
  ).option('--at <date>', 'the day on which it came, or an ISO 8601 time; now when it is not given');
  act('cancel', 'take back an open appeal that was noted by mistake', cancelAppeal);
  act('uphold', 'decide that the entry stays', (tx, number, actor, { note = '', replace }) =>
    upholdAppeal(tx, number, actor, note.trim(), replace),
  )
    .requiredOption(
      '--note <text>',
      'why, in public: one sentence in Polish that goes on „wpis podtrzymano, bo”, at most 300 characters, no links',
    )
    .option('--replace', 'mend the note of what is decided already');

  appeal
    .command('list')
    .description('list open appeals, oldest first')
    .action(async () => {
      const db = await openMigrated(cli);
      const open = listOpenAppeals(db);
      const lines = open.map(({ openedAt, reportId, name }) =>
        [dayInPoland(openedAt), reportId, name].join('\t'),
      );
      const shown = open.map((one) => ({ ...one, openedAt: new Date(one.openedAt).toISOString() }));
      print(cli, shown, [...lines, `${open.length} open`].join('\n'));
    });
}
