/** The operator's command line: `npm run czujka -- <verb>`; with `--received`, that of a moderator. */
import { prepareVerbProcess } from '#src/operator/console/verb-process.ts';

prepareVerbProcess();

// A reader such as `head` may close the pipe before the end; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const args = process.argv.slice(2);
if (args[0] === '--received') {
  const { runReceived } = await import('#src/operator/received-command.ts');
  process.exitCode = await runReceived(streams);
} else {
  const { runCli } = await import('#src/operator/run-cli.ts');
  process.exitCode = await runCli(args, streams);
}
// The caller may keep it open.
process.stdin.destroy();
