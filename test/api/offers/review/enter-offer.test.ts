import { expect } from 'vitest';
import { freeFormOffer, newVariant } from '../../../support/api/actors.ts';
import { fieldErrorsOf, itemsOf, refusal, textOf } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  auditOf,
  eventsOf,
  messagesTo,
  newParties,
  rowOf,
  statusChangesOf,
  type Parties,
} from '../offer-record.ts';

// An operator enters an offer for a vendor. The body and the rules are the same as for
// create-offer.

const enter = (
  parties: Parties,
  given: Readonly<Record<string, unknown>> = {},
  vendorId = parties.vendor.vendorId,
) => parties.by('Admin', 'POST', `/vendors/${vendorId}/offers`, { ...freeFormOffer, ...given });
const offersOf = async (parties: Parties) =>
  itemsOf(await parties.byVendor('GET', '')).map(({ id }) => String(id));

test('enters an offer of the vendor with source Manual and an audit entry', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const response = await enter(
    parties,
    { vendorExternalId: 'k', vendorSku: 's', declaredStockQuantity: 2, costIsVatInclusive: true },
    parties.vendor.vendorId.toUpperCase(),
  );
  expect(response).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const id = textOf(response, 'id');
  expect(response.payload).toMatchObject({
    vendorId: parties.vendor.vendorId,
    source: 'Manual',
    status: 'PendingMatch',
    vendorExternalId: 'k',
    product: { vendorSku: 's', rawBrandName: 'Brand' },
    cost: { amount: 86.96, enteredVatInclusive: true },
    stock: { declaredQuantity: 2, declaredInStock: true },
    awaitingDecision: true,
    supplyOptionId: null,
    workflow: { workflowId: `offer-review/${id}` },
  });
  expect(await offersOf(parties)).toEqual([id]);
  expect(await messagesTo(gateway.sql, id)).toEqual(['offerReview']);
  expect(await statusChangesOf(gateway.sql, id)).toMatchObject([
    { fromStatus: null, toStatus: 'PendingMatch', reason: null },
  ]);
  expect(await eventsOf(gateway.sql, id)).toEqual([]);
  const stored = { variantId: null, netHalalas: 8696, stagedNetHalalas: null };
  expect(await auditOf(gateway.sql, id)).toEqual([
    {
      operatorId: parties.operators.Admin.id,
      action: 'offer.create',
      subjectType: 'offer',
      requestId: 'req-7',
      before: null,
      after: { status: 'PendingMatch', version: 1, ...stored },
    },
  ]);
});

test('lets an entered and a submitted offer have the same vendorExternalId (D77)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const key = { vendorExternalId: 'k' };
  const submit = (given: object) => parties.byVendor('POST', '', { ...freeFormOffer, ...given });
  const own = textOf(await submit(key), 'id');
  const entered = { status: 201, payload: { source: 'Manual', ...key, cost: { amount: 5 } } };
  expect(await enter(parties, { ...key, cost: 5 })).toMatchObject(entered);
  const unchanged = { source: 'Api', version: 1, costNet: 10_000 };
  expect(await rowOf(gateway.sql, own)).toMatchObject(unchanged);
  expect(await auditOf(gateway.sql, own)).toEqual([]);
  const listed = itemsOf(await parties.byVendor('GET', '?vendorExternalId=k&include=history'));
  expect(listed.map(({ source }) => source)).toEqual(['Manual', 'Api']);

  await enter(parties, { vendorExternalId: 'other' });
  const barcode = '4006381333931';
  const renamed = { vendorExternalId: 'other', barcode };
  expect((await parties.byVendor('PATCH', `/${own}`, renamed)).status).toBe(200);
  expect(await submit(key)).toMatchObject({ status: 201 });
  const third = textOf(await submit({ barcode }), 'id');
  const taken = await parties.byVendor('PATCH', `/${third}`, { vendorExternalId: 'other' });
  expect(fieldErrorsOf(taken)).toEqual(['VendorExternalId taken']);
});

test('stores one offer and audit entry by concurrent entries with one key', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const responses = await Promise.all(
    [100, 5, 5, 5].map((cost) => enter(parties, { vendorExternalId: 'race', cost })),
  );
  const again = await enter(parties, { vendorExternalId: 'race', cost: 7, saveAsDraft: true });
  expect(again).toMatchObject({ status: 200, details: { existing: true } });
  for (const { payload } of responses) expect(payload).toEqual(again.payload);
  expect(await auditOf(gateway.sql, textOf(again, 'id'))).toHaveLength(1);
  expect(await offersOf(parties)).toHaveLength(1);
});

test('refuses what create-offer refuses, and an unknown vendor, and stores nothing', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { id: inactive } = await newVariant(gateway, { isActive: false });
  for (const [given, error] of [
    [{ cost: 0 }, 'Cost invalid_amount'],
    [{ variantId: inactive }, 'VariantId unknown_variant'],
  ] as const)
    expect(fieldErrorsOf(await enter(parties, given))).toEqual([error]);
  const priced = await enter(parties, { salePrice: 1, salePriceIsVatInclusive: true });
  expect(priced.state).toBe('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
  expect(await enter(parties, {}, inactive)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
  expect(await offersOf(parties)).toEqual([]);
});
