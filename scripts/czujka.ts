/** The operator's command line: `npm run czujka -- <verb>`; with `--received`, that of a moderator. */
import { prepareVerbProcess } from '#src/operator/console/verb-process.ts';

prepareVerbProcess();
await import('#src/operator/command-line.ts');
