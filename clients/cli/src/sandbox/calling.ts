import type { VendorClient } from 'vendor-gateway-client';
import { calling as callingClient, type CallOptions, type WithId } from '../core/calling.ts';
import type { CommonArguments, Work } from '../core/command.ts';
import { usageError } from '../core/exit.ts';

export type Sandbox = VendorClient['sandbox'];

/** Work that makes one call of the sandbox and prints its response. */
export const calling = <TArguments extends CommonArguments, TPayload extends object>(
  call: (sandbox: Sandbox, given: TArguments, options: CallOptions) => Promise<TPayload>,
  textOf: (payload: TPayload, given: TArguments) => string,
): Work<TArguments> =>
  callingClient(({ sandbox }, given, options) => call(sandbox, given, options), textOf);

export type WithReason = WithId & { readonly reason: string };

/** What declares the pricing model of an agreement. */
export const pricingModel = {
  choices: ['CostPlusMargin', 'PercentageOfSale'],
  describe: 'Whether you declare a cost or a sale price',
} as const;

/** Ids with their quantities, such as `OFFER=2`; 1 without one. */
export const quantitiesOf = (
  texts: readonly string[],
  name: 'OFFER' | 'LINE',
): readonly (readonly [id: string, quantity: number])[] =>
  texts.map((text) => {
    const [id = '', quantity = '1'] = text.split('=');
    if (!/^[1-9]\d{0,6}$/.test(quantity))
      throw usageError(`${text} has no whole quantity above 0`, `Write ${name} or ${name}=2.`);
    return [id, Number(quantity)];
  });
