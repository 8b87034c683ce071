/** The operator's command line; with `--received`, that of a moderator, whose words come in standard input. */
// A reader such as `head` may close the pipe before the end; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const { stdin, stdout, stderr } = process;
const streams = { stdin, stdout, stderr };
const args = process.argv.slice(2);
if (args[0] === '--received') {
  const { runReceived } = await import('./received-command.ts');
  process.exitCode = await runReceived(streams);
} else {
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(args, streams);
}
// The caller may keep it open.
stdin.destroy();

export {};
