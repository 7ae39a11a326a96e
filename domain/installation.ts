import type { Environment } from './accounts/credentials.ts';

/** What a process or command found is not of its own installation; the message says what to do. */
export class InstallationProblem extends Error {}

/** `what` belongs to an installation of another environment. */
export const otherEnvironment = (
  what: string,
  { own, configured }: { readonly own: string; readonly configured: Environment },
  remedy: string,
): InstallationProblem =>
  new InstallationProblem(
    `${what} belongs to a ${own} installation, and GATEWAY_ENVIRONMENT is ${configured}. ` +
      `Nothing was changed. ${remedy}, or set GATEWAY_ENVIRONMENT=${own}.`,
  );
