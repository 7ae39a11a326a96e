import { registerSandboxVendor } from 'vendor-gateway-client';
import type { Ask } from '../account/ask.ts';
import type { CommonArguments, Context } from '../core/command.ts';
import { givenCredentials, storeCredentials } from '../core/credentials.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';

export type RegisterArguments = CommonArguments & {
  readonly name: string;
  readonly pricingModel: 'CostPlusMargin' | 'PercentageOfSale';
};

/** `sandbox register`: a new vendor, whose credential is stored as `login` stores one. */
export const registerVendor =
  (ask: Ask) =>
  async (
    { name, pricingModel }: RegisterArguments,
    { output, environment }: Context,
  ): Promise<ExitCode> => {
    const baseUrl = givenCredentials(environment).baseUrl ?? (await ask('Address of the sandbox'));
    const registered = await registerSandboxVendor({ baseUrl }, { name, pricingModel });
    const { clientId, clientSecret } = registered.credential;
    const file = await storeCredentials(environment, { baseUrl, clientId, clientSecret });
    output.result(registered, `Registered ${name}. Its credential is stored in ${file}.`);
    return exitCodes.ok;
  };
