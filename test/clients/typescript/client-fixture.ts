import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import type { VendorClientOptions } from '../../../clients/typescript/src/core/http.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { newVendor } from '../../support/api/actors.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** Answers instead of the gateway; undefined leaves the request to it. */
type Intercept = (request: Request) => Response | Promise<Response> | undefined;

/** Gives a file a gateway that listens on loopback, and clients of a vendor. */
export const clientTest = gatewayTest
  .extend('clients', { scope: 'file' }, async ({ gateway }) => {
    const baseUrl = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const vendor = await newVendor(gateway);
    const { clientId, clientSecret } = vendor;
    /** A client of the vendor, and what it has sent, as `METHOD path`. */
    const connect = (
      intercept: Intercept = () => undefined,
      options: Partial<VendorClientOptions> = {},
    ) => {
      const calls: string[] = [];
      const client = createVendorClient({
        baseUrl,
        clientId,
        clientSecret,
        fetch: (request) => {
          calls.push(`${request.method} ${new URL(request.url).pathname}`);
          return Promise.resolve(intercept(request) ?? fetch(request));
        },
        ...options,
      });
      return { client, calls };
    };
    return { gateway, baseUrl, vendor, connect };
  })
  /** The client of a new vendor, which has nothing yet. */
  .extend('own', async ({ clients, gateway }) => {
    const vendor = await newVendor(gateway);
    const { clientId, clientSecret } = vendor;
    return { vendor, ...clients.connect(undefined, { clientId, clientSecret }) };
  })
  /** Makes events of this vendor. */
  .extend('emit', ({ gateway, own }) => (...types: readonly EventType[]) => {
    const { vendorId } = own.vendor;
    const given = { vendorId, occurredAt: new Date(), data: { groupId: 'group-1' } };
    return emitEvents(gateway.sql, ...types.map((eventType) => newEvent({ ...given, eventType })));
  });

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

export const logIn = 'POST /api/v1/auth/token';

/** An error response of the gateway. */
export const refuse = (
  status: number,
  state: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  Response.json(
    { state, payload: null, details: {} },
    { status, headers: { 'x-request-id': 'request-1', ...headers } },
  );

/** Answers these one after another, and leaves later requests to the gateway. */
export function refuseFirst(
  matches: (request: Request) => boolean,
  ...responders: readonly (() => Response | Promise<Response>)[]
): Intercept {
  const left = [...responders];
  return (request) => (matches(request) ? left.shift()?.() : undefined);
}
