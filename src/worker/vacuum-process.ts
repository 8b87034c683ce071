import { openDatabase } from '../db/database.ts';
import { lockForProcess } from '../db/process-lock.ts';
import { vacuumLock } from '../db/temporary-folder.ts';
import { answerTask } from './task-process.ts';

answerTask(({ databasePath }: { readonly databasePath: string }): object => {
  // Held until this process ends.
  lockForProcess(vacuumLock(databasePath));
  using db = openDatabase(databasePath, 'write', { mustExist: true });
  db.connection.exec('VACUUM');
  return {};
});
