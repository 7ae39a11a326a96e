/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How the user calls this program. npx asks the registry for a program that it does not find here;
 * with `--no` it does not.
 */
export const programOf = ({ npm_lifecycle_event: event }: Environment): string =>
  event === 'npx' ? 'npx --no vendor-gateway' : 'vendor-gateway';
