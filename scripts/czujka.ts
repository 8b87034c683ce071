/** The operator's command line: `npm run czujka -- <verb>`; with `--received`, that of a moderator. */
import '#src/operator/command-line.ts';
