/** `npm run czujka -- <verb>` */
import { prepareVerbProcess } from '#src/operator/console/verb-process.ts';

prepareVerbProcess();
await import('#src/operator/command-line.ts');
