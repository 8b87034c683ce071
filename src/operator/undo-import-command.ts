/** `import --undo` and `import --list-undo`. */
import { askToGoOn, notice, print, type Cli } from './console/cli.ts';
import { named } from '../text/shorten.ts';
import { counted } from './console/outcome.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { untilStopped } from './console/until-stopped.ts';
import {
  describeImport,
  listUndoable,
  nameOf,
  planUndo,
  undoImport,
  type UndoPlan,
} from './import/undo-import.ts';
import { openToRead, withPresentDatabase } from './console/operator-database.ts';

/** @param undo number of the import; true: the newest */
export async function undoOne(
  cli: Cli,
  undo: true | number,
  { yes, dryRun }: { yes?: boolean; dryRun?: boolean },
): Promise<void> {
  const number = undo === true ? undefined : undo;
  if (dryRun) {
    using db = await openToRead(cli);
    return printUndoPlan(cli, planUndo(db, number));
  }
  await withPresentDatabase(cli, async (db) => {
    const plan = planUndo(db, number);
    const what = `taking back import ${describeUndo(plan)}`;
    if (plan.removes.length > 0 && !yes)
      await askToGoOn(cli, what, 'nothing was changed. Look at it with --dry-run, then say --yes');
    else notice(cli, what);
    using bar = createProgressBar(cli.stderr, plan.removes.length + plan.changesBack.length);
    const onStep = (count: number): void => bar.update(count);
    const { dataFolder } = cli.config;
    const report = await untilStopped((signal) =>
      undoImport(db, plan, { dataFolder, now: Date.now(), by: cli.by, signal, onStep }),
    );
    bar.end();
    const { removed, changedBack } = report;
    const outcome = `import ${report.import} into ${report.list} is taken back: removed ${removed}, changed back ${changedBack}`;
    print(cli, report, [outcome, ...describeSkipped(report.skipped)].join('\n'));
  });
}

function describeSkipped(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`left as they are, changed or withdrawn since: ${names.length} (${named(names)})`];
}

function describeUndo({ found, removes, changesBack, done }: UndoPlan): string {
  const earlier = done.length > 0 ? `; an undo that was ended took back ${done.length} before` : '';
  return (
    `${found.import} into ${found.list} (${new Date(found.at).toISOString()}) ` +
    `removes ${counted(removes.length, 'entry', 'entries')} and changes ${changesBack.length} back${earlier}`
  );
}

function printUndoPlan(cli: Cli, plan: UndoPlan): void {
  const { import: number, list } = plan.found;
  const removes = plan.removes.map(nameOf);
  const changesBack = plan.changesBack.map(nameOf);
  const skipped = plan.skipped.map(nameOf);
  const report = { import: number, list, dryRun: true, removes, changesBack, skipped };
  const lines = [
    `taking back import ${describeUndo(plan)}`,
    ...(removes.length > 0 ? [`removed: ${named(removes)}`] : []),
    ...(changesBack.length > 0 ? [`changed back: ${named(changesBack)}`] : []),
    ...describeSkipped(skipped),
  ];
  print(cli, report, lines.join('\n'));
}

export async function printUndoable(cli: Cli): Promise<void> {
  using db = await openToRead(cli);
  const found = listUndoable(db);
  const lines = found.length === 0 ? ['no import can be taken back'] : found.map(describeImport);
  print(cli, found, lines.join('\n'));
}
