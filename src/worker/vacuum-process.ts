import { openDatabase } from '../db/database.ts';
import { lockForProcess } from '../db/process-lock.ts';
import { vacuumLock } from '../db/temporary-folder.ts';
import { answerTask } from './task-process.ts';

export interface VacuumTask {
  readonly databasePath: string;
}

answerTask(({ databasePath }: VacuumTask): object => {
  lockForProcess(vacuumLock(databasePath));
  const db = openDatabase(databasePath, 'write', { mustExist: true });
  try {
    db.connection.exec('VACUUM');
    return {};
  } finally {
    db.close();
  }
});
