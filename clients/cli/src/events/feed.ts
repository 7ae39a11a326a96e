import type { FeedOptions, VendorClient } from 'vendor-gateway-client';
import type { VendorEvent } from 'vendor-gateway-client/webhooks';

/** The body of an event as the gateway sends it, of a later version's types too. */
export function bodyOf(event: VendorEvent): object {
  if (event.eventType !== 'unknown') return event;
  const { receivedType, ...rest } = event;
  return { ...rest, eventType: receivedType };
}

export const typeOf = (event: VendorEvent): string =>
  event.eventType === 'unknown' ? event.receivedType : event.eventType;

/** The number of the latest event; 0 without one. */
export async function latestSequence(client: VendorClient, signal: AbortSignal): Promise<number> {
  const { data } = await client.http.GET('/api/v1/events', {
    params: { query: { after: 0, pageSize: 1 } },
    signal,
  });
  return data?.payload.latestSequence ?? 0;
}

/** The gateway checks the name of the type. */
export const feedOptions = (
  type: string | undefined,
  follow: boolean,
  signal: AbortSignal,
): FeedOptions => ({
  follow,
  signal,
  ...(type === undefined ? {} : { type: type as NonNullable<FeedOptions['type']> }),
});
