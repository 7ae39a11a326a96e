/**
 * Ends a process that gets an argument, as the commands do: it would otherwise run with other
 * settings than its caller expects.
 */
export function refuseArguments(): void {
  const [argument] = process.argv.slice(2);
  if (argument === undefined) return;
  console.error(
    `Unknown argument ${argument}: environment variables set everything, such as PORT=3001; ` +
      'see docs/configuration.md.',
  );
  process.exit(2);
}
