/** The operator's command line: `npm run czujka -- <verb>`. */
import { runCli } from './operator/run-cli.ts';

// A reader such as `head` may close the pipe before the end; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
