import { makeBackup } from '../backups/make-backup.ts';
import { checkFile } from '../db/check-file.ts';
import { openDatabase } from '../db/database.ts';
import { answerTask, type LongTask } from './run-task.ts';

answerTask((task: LongTask) => {
  if (task.task === 'backup') return makeBackup(task);
  const { databasePath } = task;
  if (task.task === 'check') {
    using db = openDatabase(databasePath, 'read');
    return checkFile(db);
  }
  using db = openDatabase(databasePath, 'write', { mustExist: true });
  db.connection.exec('VACUUM');
  return {};
});
