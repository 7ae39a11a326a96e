import { build } from 'esbuild';
import { expect } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';
import { newVendor } from '../../support/api/actors.ts';
import { browserTest as test } from '../../support/browser.ts';
import { root } from '../../support/programs.ts';

/** The client in a browser. */

const source = `
export * from './clients/typescript/src/index.ts';
export * from './clients/typescript/src/webhooks/index.ts';`;

/** Calls the gateway of the page, and verifies a webhook. */
const scriptOf = (credential: object, webhook: object): string => `
  const baseUrl = location.origin;
  const vendor = client.createVendorClient({ ...${JSON.stringify(credential)}, baseUrl });
  const offer = await vendor.offers.create({
    cost: 1234567.89, costIsVatInclusive: false, rawBrandName: 'Brand', rawProductName: 'Oud',
  });
  const missing = await vendor.offers.get(crypto.randomUUID()).catch((error) => error);
  const { secret, body, headers } = ${JSON.stringify(webhook)};
  let refused = false;
  try { client.verifyWebhook(secret, body + ' ', headers); } catch { refused = true; }
  const { eventType } = client.verifyWebhook(secret, body, headers);
  const isTyped = missing instanceof client.VendorGatewayError;
  return { cost: offer.cost, state: missing.state, isTyped, eventType, refused };`;

test('runs in a browser, without a module of Node', async ({ gateway, openPage }) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const secret = newWebhookSecret();
  const data = { groupId: 'group-1' };
  const body = JSON.stringify({ eventId: 'evt_1', eventType: 'vendor.order.assigned', data });
  const headers = signatureHeaders(secret, 'evt_1', new Date(), body);
  // A module of Node fails this build.
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'client',
    target: 'es2022',
  });
  const page = await openPage({ bypassCSP: true });
  await page.goto('/docs/errors');
  const script = scriptOf({ clientId, clientSecret }, { secret, body, headers });
  const run = `(async () => {${outputFiles[0]?.text ?? ''}${script}})()`;
  expect(await page.evaluate(run)).toEqual({
    cost: 1234567.89,
    state: 'NOT_FOUND_VENDOR_OFFER',
    isTyped: true,
    eventType: 'vendor.order.assigned',
    refused: true,
  });
});
