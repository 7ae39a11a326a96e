import * as v from 'valibot';
import {
  addVariant,
  addVendor,
  issueCredential,
  operatorToken,
  vendorToken,
  withId,
} from './api-calls.ts';
import { createApiClient } from './api-client.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import type { Receiver } from './receiver.ts';

export type DemoOptions = {
  readonly apiUrl: string;
  readonly operator: { readonly operatorId: string; readonly operatorSecret: string };
  readonly receiver: Receiver;
  /** The receiver's URL; the vendor of each demo subscribes a path of its own below it. */
  readonly receiverUrl: string;
  readonly print: (line: string) => void;
  /** Whether only a sandbox will do. */
  readonly needsSandbox: boolean;
  /** Makes names unique, so that the demo can run again on the same data. */
  readonly suffix: string;
};

const subscribed = v.object({ subscription: withId, secret: v.string() });

/**
 * Creates what the chapters need: an operator's token, a vendor with a credential, a variant, a
 * subscription. Throws before the first step if it needs a sandbox, and the gateway is none.
 */
export async function createContext(options: DemoOptions) {
  const { print, suffix, receiver } = options;
  const anonymous = createApiClient(options.apiUrl, print);
  const step = (text: string): void => {
    print(`\n▸ ${text}`);
  };

  // Only a sandbox has a time of its own.
  const { headers } = await fetch(`${options.apiUrl}/health`);
  const environment: Environment = headers.has('x-sandbox-time') ? 'Sandbox' : 'Production';
  if (options.needsSandbox && environment !== 'Sandbox')
    throw new Error(`${options.apiUrl} is no sandbox: \`npm run sandbox\` starts one.`);

  step('An operator logs in');
  const token = await operatorToken(anonymous, options.operator);
  const operator = anonymous.withToken(() => token);

  step('The operator adds a vendor, its first credential and a catalogue variant');
  const agreement = { pricingModel: 'CostPlusMargin', markupPercent: 25 };
  const vendorId = await addVendor(operator, `Maison Dahab ${suffix}`, agreement);
  const credential = await issueCredential(operator, vendorId, environment);
  const variantId = await addVariant(operator, `OUD-50-${suffix}`);

  step('The vendor exchanges its credential for a token');
  const accessToken = await vendorToken(anonymous, credential);
  const vendor = anonymous.withToken(() => accessToken);

  step('The vendor subscribes its receiver to review decisions and orders');
  const url = `${options.receiverUrl}/${suffix}`;
  const eventTypes = ['vendor.offer.review-decision', 'vendor.order.assigned'];
  const { subscription, secret } = await vendor.expect('POST /api/v1/webhooks', subscribed, {
    body: { url, eventTypes },
    status: 201,
  });
  return {
    vendor,
    operator,
    anonymous,
    environment,
    vendorId,
    /** The catalogue variant that the demo's offers are matched to. */
    variantId,
    subscription: { id: subscription.id, path: new URL(url).pathname, secret },
    receiver,
    print,
    step,
    suffix,
  };
}

/** What every chapter of the demo works with. */
export type DemoContext = Readonly<Awaited<ReturnType<typeof createContext>>>;
