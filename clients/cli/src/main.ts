import { runCli } from './cli.ts';

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
