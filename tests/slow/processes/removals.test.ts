/** A removal stands in the database and in `removed.ndjson`; a kill between the two, and a restore after it. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeBackup } from '#src/backups/make-backup.ts';
import { parseConfig } from '#src/config.ts';
import { openDatabase, removeDatabaseFile } from '#src/db/database.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { restoreDatabase } from '#src/operator/restore.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const PROCESS_FILE = join(import.meta.dirname, '../../support/removal-process.ts');
const KILLS = trials(9, 60);
const KILLED_WITHIN_MS = 300;
const SEED = 20261126;

it(`after each of ${KILLS} kills a restore leaves out who is removed, and has who was added again`, async () => {
  const random = new Random(SEED);
  const folder = makeFolder();
  const config = parseConfig({ DATABASE_PATH: join(folder, 'czujka.db') });
  const { databasePath } = config;
  (await openOperatorDatabase(databasePath)).close();

  const listIds = (): string[] => {
    using db = openDatabase(databasePath, 'read');
    return db.statement<string>('SELECT chat_id FROM entries ORDER BY chat_id').pluck().all();
  };
  const backUp = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await makeBackup({ databasePath, dataFolder: folder, folder: path, now: Date.now() });
    return path;
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    const earlier = { ids: listIds(), path: await backUp(`earlier-${kill}`) };
    const worker = startProcess(PROCESS_FILE, { cwd: '/', args: [databasePath, String(SEED + kill)] });
    await worker.logged({ msg: 'ready' });
    await setTimeout(random.below(KILLED_WITHIN_MS));
    worker.child.kill('SIGKILL');
    expect(await worker.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' });

    const ids = listIds();
    const [isEarlier, isLost] = [kill % 3 === 0, kill % 3 === 1];
    const backup = isEarlier ? earlier.path : await backUp(`since-${kill}`);
    if (isLost) removeDatabaseFile(databasePath);
    await restoreDatabase(config, backup, { approve: () => {}, skipAddresses: 0 });
    const expected = isEarlier ? ids.filter((id) => earlier.ids.includes(id)) : ids;
    expect(listIds(), `kill ${kill}`).toEqual(expected);
  }
}, 600_000);
