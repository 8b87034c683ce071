/** A verb stores the time. Under a wrong clock its entry would lead the list for years, or its change would be the oldest. */
import { sqlBuilder, type Database } from '../../db/database.ts';
import { isWorkerActing } from '../../db/process-lock.ts';
import { askToGoOn, notice, type Cli } from './cli.ts';

const OFF_MAX_MS = 86_400_000;

/** @throws {BadInputError} when the clock differs from that of a worker that lives, without `--yes` */
export async function checkClock(cli: Cli, db: Database): Promise<void> {
  const now = Date.now();
  const written = db.first(sqlBuilder.selectFrom('status_write_probe').select('at'))?.at ?? now;
  if (Math.abs(now - written) <= OFF_MAX_MS) return;
  const [says, wrote] = [now, written].map((at) => new Date(at).toISOString());
  const what = `the clock says ${says}, and the worker last wrote at ${wrote} by its clock`;
  if (!isWorkerActing(db.path)) notice(cli, `${what}; is the clock right?`);
  else if (!cli.saysYes) await askToGoOn(cli, what, 'set the clock that is wrong, or say --yes');
}
