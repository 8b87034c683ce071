/** Reads all of the database and of the serving file, for damage that shows only when somebody looks for it. */
import { openDatabase } from '../db/database.ts';
import { answerTask } from './task-process.ts';
import { checkFile, checkServing } from '../serving/keep-serving.ts';

export interface CheckTask {
  readonly databasePath: string;
}

answerTask(({ databasePath }: CheckTask): string[] => {
  const db = openDatabase(databasePath, 'read');
  try {
    return [...checkFile(db), ...checkServing(databasePath)];
  } finally {
    db.close();
  }
});
