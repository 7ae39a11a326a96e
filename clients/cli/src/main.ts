import { runCli } from './cli.ts';

// A reader such as `head` may end before this program does.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  onInterrupt: (listener) => {
    // Once: a second Ctrl-C ends the process at once.
    process.once('SIGINT', listener);
    process.once('SIGTERM', listener);
  },
});
