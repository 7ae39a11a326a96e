import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { inLine } from '../core/output.ts';

/** `orders show`: a shipment with its lines. */
export async function showOrder(
  { id }: CommonArguments & { readonly id: string },
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const group = await client.orders.get(id, { signal });
  const { lines, ...facts } = group;
  const goods = lines.map(({ sku, quantity }) => `${quantity} x ${sku}`).join(', ');
  const shown = { ...facts, lines: goods };
  const texts = Object.entries(shown).map(
    ([name, value]) => `${name.padEnd(18)}${inLine(value ?? '-')}`,
  );
  output.result(group, texts.join('\n'));
  return exitCodes.ok;
}
