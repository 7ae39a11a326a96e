import { createHttp, type VendorClientOptions } from './core/http.ts';
import { credentialsOf, profileOf } from './resources/credentials.ts';
import { eventsOf } from './resources/events.ts';
import { jobsOf } from './resources/jobs.ts';
import { offersOf } from './resources/offers.ts';
import { ordersOf } from './resources/orders.ts';
import { returnsOf } from './resources/returns.ts';
import { sandboxOf } from './resources/sandbox.ts';
import { subscriptionsOf } from './resources/subscriptions.ts';

/** A client of the gateway with one credential. Its calls reject with a VendorGatewayError. */
export function createVendorClient(options: VendorClientOptions) {
  const http = createHttp(options);
  return {
    offers: offersOf(http),
    jobs: jobsOf(http),
    orders: ordersOf(http),
    returns: returnsOf(http),
    events: eventsOf(http),
    webhooks: subscriptionsOf(http),
    credentials: credentialsOf(http, options.environment ?? 'Production'),
    profile: profileOf(http),
    /** Acts as the marketplace; only a sandbox has these calls. */
    sandbox: sandboxOf(http),
    /** Every operation by method and path, with the same token, retries and errors. */
    http,
  };
}
export type VendorClient = ReturnType<typeof createVendorClient>;
