import { existsSync } from 'node:fs';
import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import { fixedRing } from '../../../security/key-ring.ts';
import { freeFormOffer, newOperator, newVariant, newVendor } from '../../support/api/actors.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { kindsOf, readBusinessInstants } from '../../support/database/business-instants.ts';

/** Of the Debian package libfaketime. */
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const clockOff = (offset: string) => ({
  LD_PRELOAD: fakeTime,
  FAKETIME: offset,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});
const timeout = 180_000;

processTest.skipIf(!existsSync(fakeTime))(
  'D131: an API an hour behind and a worker an hour ahead store the right business instants',
  { timeout },
  async ({ gateway: { sql, config }, processes }) => {
    const ring = fixedRing({ signingKey: config.JWT_SIGNING_KEY });
    const tokens = createTokens({
      issuer: config.JWT_ISSUER,
      environment: 'Production',
      ring: () => ring,
    });
    const parts = { sql, dependencies: { tokens, environment: 'Production' } as Dependencies };
    const { vendorId, clientId, clientSecret } = await newVendor(parts);
    const { operatorId, operatorSecret } = await newOperator(parts);
    const variant = await newVariant(parts);
    const inspection = { INSPECTION_START_MS: '500', INSPECTION_WINDOW_MS: '1500' };
    const begunMs = Date.now();
    const api = await processes.startApi({ ...clockOff('-1h'), ...inspection });
    await processes.startWorker(clockOff('+1h'));

    const tokenOf = { vendor: '', operator: '' };
    const send = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${api.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokenOf[path.startsWith('/operator') ? 'operator' : 'vendor']}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
      return (JSON.parse(text) as { payload: Record<string, never> }).payload;
    };
    // Each API accepts the tokens of its own clock.
    const vendorLogIn = await send('POST', '/api/v1/auth/token', { clientId, clientSecret });
    const logIn = { operatorId, operatorSecret };
    const operatorLogIn = await send('POST', '/operator/v1/auth/token', logIn);
    tokenOf.vendor = String(vendorLogIn['accessToken']);
    tokenOf.operator = String(operatorLogIn['accessToken']);
    const offers = '/api/v1/scent/offers';
    const { id: offerId } = await send('POST', offers, freeFormOffer);
    await send('PATCH', `${offers}/${String(offerId)}`, {
      rawProductName: 'Another',
      barcode: '4006381333931',
    });
    const stock = { declaredInStock: true, declaredStockQuantity: 5 };
    await send('PATCH', `${offers}/${String(offerId)}/stock`, stock);
    const { reviewVersion: expectedVersion } = await send(
      'GET',
      `/operator/v1/offers/${String(offerId)}`,
    );
    const approval = { variantId: variant.id, expectedVersion };
    await send('POST', `/operator/v1/offers/${String(offerId)}/approve`, approval);
    await send('PATCH', `${offers}/${String(offerId)}/cost`, {
      cost: 120,
      costIsVatInclusive: false,
    });
    await send('PATCH', `${offers}/${String(offerId)}/cost`, {
      cost: 130,
      costIsVatInclusive: false,
    });
    await send('PATCH', `${offers}/stock`, {
      items: [{ offerId, ...stock, declaredStockQuantity: 6 }],
    });

    const { orderGlobalId, groups } = (await send('POST', '/operator/v1/orders', {
      shipTo: { recipient: 'R', line1: 'L', city: 'C', country: 'SA', phone: '1' },
      groups: [{ vendorId, carrier: 'CarrierA', lines: [{ variantId: variant.id, quantity: 1 }] }],
    })) as unknown as {
      orderGlobalId: string;
      groups: { groupId: string; lines: { lineId: string }[] }[];
    };
    const [group] = groups;
    await send('POST', `/api/v1/scent/orders/${group?.groupId}/pack`);
    await send('POST', `/api/v1/scent/orders/${group?.groupId}/ship`);
    await send('PATCH', `/operator/v1/groups/${group?.groupId}`, { status: 'Delivered' });
    const lines = [{ lineId: group?.lines[0]?.lineId, quantity: 1, reasonCode: 'Defective' }];
    const returned = { orderGlobalId, destination: 'Supplier', lines };
    const { id: returnId } = await send('POST', '/operator/v1/returns', returned);
    await send('POST', `/operator/v1/returns/${String(returnId)}/approve`);
    await send('POST', `/operator/v1/returns/${String(returnId)}/in-transit`);
    await send('PATCH', `/api/v1/scent/returns/${String(returnId)}/received`);
    await send('POST', `/api/v1/scent/returns/${String(returnId)}/evidence`, {
      url: 'https://vendor.example.org/photo.jpg',
      kind: 'Photo',
    });
    await vi.waitFor(
      async () => {
        const [row] = await sql<[{ status: string }]>`
          select status from return_requests where id = ${String(returnId)}`;
        expect(row.status).toBe('InspectionAccepted');
      },
      { timeout: 60_000, interval: 100 },
    );

    const endedMs = Date.now();
    const instants = await readBusinessInstants(sql, vendorId);
    expect(kindsOf(instants)).toEqual([
      'event',
      'event body',
      'evidence',
      'group created',
      'group delivered',
      'group packed',
      'group shipped',
      'inspection decided',
      'inspection started',
      'offer awaiting',
      'offer changed',
      'offer created',
      'offer history',
      'offer reviewed',
      'return history',
      'return received',
      'return requested',
      'supply',
    ]);
    for (const { name, at } of instants) {
      if (at === null) continue;
      // Postgres may be a few milliseconds off.
      expect(at.getTime(), name).toBeGreaterThan(begunMs - 1000);
      expect(at.getTime(), name).toBeLessThan(endedMs + 1000);
    }
  },
);
