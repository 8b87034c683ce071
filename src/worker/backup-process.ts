import { answerTask } from './task-process.ts';
import { makeBackup } from '../backups/make-backup.ts';

answerTask(makeBackup);
