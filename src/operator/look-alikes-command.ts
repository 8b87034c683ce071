/** The verb `lookalikes`. */
import type { Command } from 'commander';
import type { ListKind } from '../entries/entry.ts';
import { print, type Cli } from './console/cli.ts';
import { openMigrated } from './console/operator-database.ts';
import { listOption } from './console/options.ts';
import { counted } from './console/outcome.ts';
import { describePairs, findLookAlikePairs } from './look-alike-pairs.ts';

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('lookalikes')
    .description('list reported entries whose names look like a trusted one with another ID')
    .addOption(listOption())
    .action(async (options: { list?: ListKind }) => {
      const db = await openMigrated(cli);
      const { list } = options;
      // Each pair has a trusted side.
      const pairs = [...findLookAlikePairs(db)].filter(
        ({ reported }) => list === undefined || list === 'legit' || reported.list === list,
      );
      const lines = describePairs(pairs, Number.POSITIVE_INFINITY);
      print(cli, pairs, [...lines, counted(pairs.length, 'pair')].join('\n'));
    });
}
