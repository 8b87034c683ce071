/** The operator's command line: `npm run czujka -- <verb>`; with `--received`, that of a moderator. */
import { runReceived } from './received-command.ts';
import { runCli } from './run-cli.ts';

// A reader such as `head` may close the pipe before the end; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const args = process.argv.slice(2);
process.exitCode = args[0] === '--received' ? await runReceived(streams) : await runCli(args, streams);
// The caller may keep it open.
process.stdin.destroy();
