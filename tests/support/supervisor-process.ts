/**
 * The supervisor with another program in the place of Node.
 * Usage: node supervisor-process.ts <program> <folder for the process IDs>
 */
import { createLog } from '#src/log.ts';
import { supervise } from '#src/supervisor/supervisor.ts';

const [program = '', pidFolder = ''] = process.argv.slice(2);
process.execPath = program;
const log = createLog('start');
process.exitCode = await supervise({ log, pidFolder, onListening: () => log.info('web listens') });
