import type { Argv } from 'yargs';
import type { VendorClient } from 'vendor-gateway-client';
import type { CommonArguments, Work } from './command.ts';
import { usageError } from './exit.ts';
import { inLine, tableOf } from './output.ts';
import { required } from './option-kinds.ts';

export type CallOptions = { readonly signal: AbortSignal };

/**
 * Work that makes one call and prints its response. `hasSecret`: with a secret that is shown once.
 */
export const calling =
  <TArguments extends CommonArguments, TPayload extends object>(
    call: (client: VendorClient, given: TArguments, options: CallOptions) => Promise<TPayload>,
    textOf: (payload: TPayload, given: TArguments) => string,
    { hasSecret = false }: { readonly hasSecret?: boolean } = {},
  ): Work<TArguments> =>
  async (given, { output, signal, connect }) => {
    const { client } = await connect();
    const payload = await call(client, given, { signal });
    output.result(payload, textOf(payload, given), { hasSecret });
  };

/** A list: its table, and the text of an empty one. */
type Listing<TItem> = {
  readonly header: readonly string[];
  readonly rowOf: (item: TItem) => readonly (string | number | null)[];
  readonly none: string;
};
type WithLimit = CommonArguments & { readonly limit: number };

/** The option of a listing. */
export const limitOption = {
  type: 'number',
  default: 20,
  describe: 'The most to list',
  coerce: (value: number): number => {
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw usageError('--limit is no whole number above 0');
  },
} as const;

/** Work that prints the first items of a list as a table. */
export const listing =
  <TArguments extends WithLimit, TItem extends object>(
    read: (
      client: VendorClient,
      given: TArguments,
      options: CallOptions,
    ) => AsyncIterable<TItem> | Promise<AsyncIterable<TItem>>,
    { header, rowOf, none }: Listing<TItem>,
  ): Work<TArguments> =>
  async (given, { output, signal, connect }) => {
    const { client } = await connect();
    const items: TItem[] = [];
    for await (const item of await read(client, given, { signal })) {
      items.push(item);
      if (items.length >= given.limit) break;
    }
    if (output.isJson) for (const item of items) output.result(item, null);
    else if (items.length === 0) output.note(none);
    else output.result({}, tableOf(header, items.map(rowOf)));
  };

type Fact = string | number | boolean | null | undefined;

/** The facts of an object, one in a line, with the values in a column. */
export const factsOf = (facts: Readonly<Record<string, Fact>>, nameWidth = 18): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(nameWidth)}${inLine(String(value ?? '-'))}`)
    .join('\n');

export type WithStatus = { readonly status: string };

/** What a command acts on. */
type Thing = 'Offer' | 'Shipment' | 'Return' | 'Subscription' | 'Credential';

/** What a command prints, such as `Offer ID is Approved.` */
export const sentence = (thing: Thing, id: string, { status }: WithStatus): string =>
  `${thing} ${id} is ${status}.`;

/** Adds the id of what a command acts on. */
export const idOf = (command: Argv<CommonArguments>, thing: Thing) =>
  command.positional('id', required(`Id of the ${thing}`));
