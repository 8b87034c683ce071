/** The verb `lookalikes`: reported entries with a name like a trusted one. */
import type { Command } from 'commander';
import type { Config } from '#src/config.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { describePairs, findLookAlikePairs } from './look-alike-pairs.ts';
import { jsonOption, listOption } from './options.ts';
import { counted, print } from './outcome.ts';
import { withPresentDatabase } from './with-database.ts';

export function addLookAlikesCommand(program: Command, config: Config): void {
  program
    .command('lookalikes')
    .description('list reported entries whose names look like a trusted one with another ID')
    .addOption(listOption())
    .addOption(jsonOption())
    .action(async (options: { list?: ListKind; json?: boolean }) => {
      await withPresentDatabase(config, (db) => {
        const { list } = options;
        // Each pair has a trusted side.
        const pairs = [...findLookAlikePairs(db)].filter(
          ({ reported }) => list === undefined || list === 'legit' || reported.list === list,
        );
        const lines = describePairs(pairs, Number.POSITIVE_INFINITY);
        print(options.json, pairs, [...lines, counted(pairs.length, 'pair')].join('\n'));
      });
    });
}
