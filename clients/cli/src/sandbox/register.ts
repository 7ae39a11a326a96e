import { registerSandboxVendor } from 'vendor-gateway-client';
import type { Ask } from '../account/ask.ts';
import { requireReplaceable, type StoringArguments } from '../account/replace.ts';
import type { Context } from '../core/command.ts';
import { givenCredentials, requireAddress, storeCredentials } from '../core/credentials.ts';
import { proxyOptions } from '../core/proxy.ts';

export type RegisterArguments = StoringArguments & {
  readonly name: string;
  readonly pricingModel: 'CostPlusMargin' | 'PercentageOfSale';
};

/** `sandbox register`: a new vendor, whose credential is stored as `login` stores one. */
export const registerVendor =
  (ask: Ask) =>
  async (
    { name, pricingModel, replace }: RegisterArguments,
    { output, environment, signal }: Context,
  ): Promise<void> => {
    const baseUrl = givenCredentials(environment).baseUrl ?? (await ask('Address of the sandbox'));
    requireAddress(baseUrl, environment);
    // Before the call: no later response has the new secret.
    await requireReplaceable({ baseUrl, clientId: null }, { ask, replace, output, environment });
    const registered = await registerSandboxVendor(
      { baseUrl, ...proxyOptions(environment, baseUrl) },
      { name, pricingModel },
      { signal },
    );
    const { clientId, clientSecret } = registered.credential;
    const stored = await storeCredentials(environment, { baseUrl, clientId, clientSecret }).catch(
      (error: unknown) => {
        output.note(`The credential could not be stored: ${clientId}, secret ${clientSecret}`);
        throw error;
      },
    );
    output.result(registered, `Registered ${name}. Its credential is stored in ${stored}.`, {
      hasSecret: true,
    });
  };
