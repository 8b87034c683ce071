import { checkFile } from '../db/check-file.ts';
import { openDatabase } from '../db/database.ts';
import { answerTask } from './task-process.ts';

export interface CheckTask {
  readonly databasePath: string;
}

answerTask(({ databasePath }: CheckTask): string[] => {
  const db = openDatabase(databasePath, 'read');
  try {
    return checkFile(db);
  } finally {
    db.close();
  }
});
