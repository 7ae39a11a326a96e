import * as v from 'valibot';
import { createCaller, payloadOf, type Caller } from './caller.ts';
import { withId } from './forms.ts';
import type { Call, Stage, StoryOptions } from './stage.ts';

const token = v.object({ accessToken: v.string() });
const credential = v.object({ clientId: v.string(), clientSecret: v.string() });
const subscribed = v.object({ subscription: withId, secret: v.string() });

/** An operator logs in and adds a vendor, which gets a token and subscribes its receiver: the stage of all the rest. */
export async function onboard(options: StoryOptions): Promise<Stage> {
  const { print, run, receiver } = options;
  const api = createCaller(options.apiUrl, print);
  const step = (text: string): void => {
    print(`\n▸ ${text}`);
  };

  step('An operator logs in');
  const login = await api.call('POST', '/operator/v1/auth/token', options.operator);
  const asOperator = callsWith(api, payloadOf(login, 200, token).accessToken);

  step('The operator adds a vendor, its first credential, and a variant of the catalog');
  const vendorId = await addVendor(asOperator, run);
  const wish = { environment: 'Production', capabilities: 'Offers, Stock, Cost, Orders, Account' };
  const issued = await asOperator('POST', `/operator/v1/vendors/${vendorId}/credentials`, wish);
  const { clientId, clientSecret } = payloadOf(issued, 201, credential);
  const variantId = await addVariant(asOperator, run);

  step('The vendor exchanges its credential for a token');
  const granted = await api.call('POST', '/api/v1/auth/token', { clientId, clientSecret });
  const asVendor = callsWith(api, payloadOf(granted, 200, token).accessToken);

  step('The vendor subscribes its receiver to review decisions and to orders');
  const url = `${options.receiverUrl}/${run}`;
  const wanted = { url, eventTypes: ['vendor.offer.review-decision', 'vendor.order.assigned'] };
  const { subscription, secret } = payloadOf(
    await asVendor('POST', '/api/v1/webhooks', wanted),
    201,
    subscribed,
  );
  return {
    asVendor,
    asOperator,
    asAnyone: (method, path, body) => api.call(method, path, body),
    as: (accessToken) => callsWith(api, accessToken),
    vendorId,
    variantId,
    subscription: { id: subscription.id, path: new URL(url).pathname, secret },
    receiver,
    print,
    step,
    run,
  };
}

const callsWith =
  (api: Caller, token: string): Call =>
  (method, path, body, headers) =>
    api.call(method, path, body, { token, headers });

async function addVendor(asOperator: Call, run: string): Promise<string> {
  const vendor = { name: `Maison Dahab ${run}`, pricingModel: 'CostPlusMargin', markupPercent: 25 };
  return payloadOf(await asOperator('POST', '/operator/v1/vendors', vendor), 201, withId).id;
}

async function addVariant(asOperator: Call, run: string): Promise<string> {
  const variant = {
    sku: `OUD-50-${run}`,
    brandName: 'Maison Dahab',
    productName: 'Oud 50',
    barcode: '4006381333931',
  };
  return payloadOf(await asOperator('POST', '/operator/v1/variants', variant), 201, withId).id;
}
