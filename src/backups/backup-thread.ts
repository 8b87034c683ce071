/** The worker's thread that makes a backup and ends: to copy and check a database takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeBackup } from './make-backup.ts';
import type { BackupTask } from './make-backup.ts';

parentPort?.postMessage(await makeBackup(workerData as BackupTask));
