import type { Argv } from 'yargs';
import type { VendorClient } from 'vendor-gateway-client';
import type { CommonArguments, Work } from '../core/command.ts';
import { exitCodes, usageError } from '../core/exit.ts';

export type Sandbox = VendorClient['sandbox'];
type CallOptions = { readonly signal: AbortSignal };

/** Work that makes one call and prints its answer. */
export const calling =
  <TArguments extends CommonArguments, TPayload extends object>(
    call: (sandbox: Sandbox, given: TArguments, options: CallOptions) => Promise<TPayload>,
    textOf: (payload: TPayload, given: TArguments) => string,
  ): Work<TArguments> =>
  async (given, { output, signal, connect }) => {
    const { client } = await connect();
    const payload = await call(client.sandbox, given, { signal });
    output.result(payload, textOf(payload, given));
    return exitCodes.ok;
  };

export type WithId = CommonArguments & { readonly id: string };
export type WithReason = WithId & { readonly reason: string };
export type WithStatus = { readonly status: string };

/** What a verb acts on. */
type Thing = 'Offer' | 'Shipment' | 'Return';

/** What a verb prints, such as `Offer ID is Approved.` */
export const sentence = (thing: Thing, id: string, { status }: WithStatus) =>
  `${thing} ${id} is ${status}.`;

/** Adds the id of what a verb acts on. */
export const idOf = (command: Argv<CommonArguments>, thing: Thing) =>
  command.positional('id', { type: 'string', demandOption: true, describe: `Id of the ${thing}` });

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
