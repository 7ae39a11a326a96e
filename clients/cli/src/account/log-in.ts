import type { CommonArguments, Context } from '../core/command.ts';
import {
  clientOf,
  deleteCredentials,
  givenCredentials,
  requireAddress,
  storeCredentials,
} from '../core/credentials.ts';
import { usageError } from '../core/exit.ts';
import type { Ask } from './ask.ts';
import { requireReplaceable, type StoringArguments } from './replace.ts';

/** Whether the address keeps the secret from others on the way. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** `login`: checks credentials by a token and stores them. */
export const logIn =
  (ask: Ask) =>
  async (
    { replace }: StoringArguments,
    { output, environment, signal }: Context,
  ): Promise<void> => {
    const given = givenCredentials(environment);
    const baseUrl = given.baseUrl ?? (await ask('Address of the gateway'));
    // An address that cannot be right is refused before the next question.
    requireAddress(baseUrl, environment);
    if (!isPrivate(new URL(baseUrl)))
      output.note('Warning: without https, others on the way can read the secret.');
    const clientId = given.clientId ?? (await ask('Client id'));
    await requireReplaceable({ baseUrl, clientId }, { ask, replace, output, environment });
    const clientSecret = given.clientSecret ?? (await ask('Client secret', { isSecret: true }));
    if (clientId === '' || clientSecret === '')
      throw usageError('The client id and the secret are required');
    const credentials = { baseUrl, clientId, clientSecret };
    // A wrong address fails at once.
    await clientOf(credentials, environment, 1).http.POST('/api/v1/auth/token', {
      body: { clientId, clientSecret },
      signal,
    });
    const file = await storeCredentials(environment, credentials);
    output.result(
      { action: 'logged-in', baseUrl, clientId, file },
      `Logged in. Stored in ${file}.`,
    );
  };

/** `logout`: deletes the stored credentials. */
export async function logOut(_: CommonArguments, { output, environment }: Context): Promise<void> {
  const file = await deleteCredentials(environment);
  output.result({ action: 'logged-out', file }, 'Logged out.');
}
