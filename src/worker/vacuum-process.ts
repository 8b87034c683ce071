/** Runs VACUUM, which removes remains of deleted rows between others, and ends. */
import { openDatabase } from '../db/database.ts';
import { answerTask } from './task-process.ts';

export interface VacuumTask {
  readonly databasePath: string;
}

answerTask(({ databasePath }: VacuumTask): object => {
  const db = openDatabase(databasePath, 'write', { mustExist: true });
  try {
    db.connection.exec('VACUUM');
    return {};
  } finally {
    db.close();
  }
});
