import { setTimeout as sleep } from 'node:timers/promises';
import type { FulfilmentGroup } from 'vendor-gateway-client';
import { untilInterrupted, type CommonArguments, type Context } from '../core/command.ts';
import { usageError } from '../core/exit.ts';
import { inLine } from '../core/output.ts';
import { vendorTime } from '../core/sandbox-clock.ts';

type Arguments = CommonArguments & {
  readonly once: boolean;
  readonly since: string | undefined;
  readonly interval: number;
};

const dayMs = 86_400_000;

function lineOf(group: FulfilmentGroup, kind: string): string {
  const { groupId, orderGlobalId, status, shipCity, trackingRef, lines } = group;
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const tracking = trackingRef === null ? '' : `  tracking ${trackingRef}`;
  return (
    `${kind}  ${groupId}  order ${orderGlobalId}  ${status}  ${pieces} pcs  ` +
    `${shipCity}${tracking}`
  );
}

/** `orders watch`: prints shipments as they come and change. */
export async function watchOrders(
  { once, since, interval }: Arguments,
  { output, signal, connect }: Context,
): Promise<void> {
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw usageError('--since is not an instant such as 2026-11-23T00:00:00Z');
  const { client } = await connect();
  const dayAgo = async () => new Date((await vendorTime(client, { signal })) - dayMs).toISOString();
  let position = since ?? (await dayAgo());
  /** What was printed of each shipment: a position may repeat those that did not change. */
  const printed = new Map<string, string>();
  const read = async (): Promise<void> => {
    const changes = client.orders.changedSince(position, {}, { signal });
    for await (const group of changes) {
      const text = JSON.stringify(group);
      const earlier = printed.get(group.groupId);
      if (earlier === text) continue;
      printed.set(group.groupId, text);
      const kind = earlier === undefined ? 'shipment' : 'changed';
      output.result({ kind, ...group }, inLine(lineOf(group, kind)));
    }
    ({ position } = changes);
  };
  if (once) {
    await read();
    return;
  }
  output.note('Waiting for shipments. Ctrl-C ends.');
  await untilInterrupted(signal, async () => {
    for (;;) {
      await read();
      await sleep(interval * 1000, undefined, { signal });
    }
  });
}
