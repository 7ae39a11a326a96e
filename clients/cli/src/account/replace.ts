import type { CommonArguments, Context } from '../core/command.ts';
import { findReplaced } from '../core/credentials.ts';
import { CliError, exitCodes } from '../core/exit.ts';
import { flag } from '../core/option-kinds.ts';
import type { Ask } from './ask.ts';

/** A command that stores a credential. */
export type StoringArguments = CommonArguments & { readonly replace: boolean };

/** The option of {@link StoringArguments}. */
export const replaceOption = flag('Replace the stored credential of another address or client');

type Storing = Pick<Context, 'output' | 'environment'> & {
  readonly ask: Ask;
  readonly replace: boolean;
};

/**
 * Asks before the stored credential of another address or client is replaced, whose secret no
 * response of the gateway repeats. Throws without a terminal, and after any reply but yes.
 */
export async function requireReplaceable(
  next: { readonly baseUrl: string; readonly clientId: string | null },
  { ask, replace, output, environment }: Storing,
): Promise<void> {
  const stored = await findReplaced(environment, next, output);
  if (stored === null || replace) return;
  const { file, baseUrl, clientId } = stored;
  const refusal = new CliError(
    exitCodes.usage,
    'CREDENTIAL_STORED',
    `${file} has the credential ${clientId} of ${baseUrl}, whose secret cannot be read again`,
    'Add --profile NAME to store both, or --replace.',
  );
  output.note(`${refusal.message}. --profile NAME stores both.`);
  const reply = await ask('Replace it? (yes/no)', { otherwise: refusal });
  if (!/^y(es)?$/i.test(reply)) throw refusal;
}
