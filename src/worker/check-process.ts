import { checkFile } from '../db/check-file.ts';
import { openDatabase } from '../db/database.ts';
import { answerTask } from './task-process.ts';

answerTask(({ databasePath }: { readonly databasePath: string }): string[] => {
  using db = openDatabase(databasePath, 'read');
  return checkFile(db);
});
