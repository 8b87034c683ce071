/** The command line of a moderator's account, which may not open the database. */
import { prepareVerbProcess } from '#src/operator/console/verb-process.ts';

prepareVerbProcess();
await import('#src/operator/moderate.ts');
