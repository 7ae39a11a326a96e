import { expect } from 'vitest';
import { freeFormOffer, newVariant, percentageOfSale } from '../../support/actors.ts';
import {
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  approveOffer,
  auditOf,
  byNumber,
  eventsOf,
  messagesTo,
  newParties,
  optionOf,
  rowOf,
  statusChangesOf,
  succeeded,
  type Parties,
} from '../offer-record.ts';

// An operator enters an offer for a vendor. The body is that of create-offer.

const enter = (
  parties: Parties,
  given: Readonly<Record<string, unknown>> = {},
  vendorId = parties.vendor.vendorId,
) => parties.by('Admin', 'POST', `/vendors/${vendorId}/offers`, { ...freeFormOffer, ...given });
const offersOf = async (gateway: Gateway, { vendor }: Parties) =>
  (
    await gateway.sql<{ id: string }[]>`select id from offers where vendor_id = ${vendor.vendorId}`
  ).map(({ id }) => id);

test('an entered offer is the vendor’s, with the source Manual, and is audited', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const answer = await enter(
    parties,
    { vendorExternalId: 'k', vendorSku: 's', declaredStockQuantity: 2, costIsVatInclusive: true },
    parties.vendor.vendorId.toUpperCase(),
  );
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const id = textOf(answer, 'id');
  expect(answer.payload).toMatchObject({
    vendorId: parties.vendor.vendorId,
    source: 'Manual',
    status: 'PendingMatch',
    version: 1,
    vendorExternalId: 'k',
    product: { vendorSku: 's', variantId: null, barcode: null, rawBrandName: 'Brand' },
    cost: { amount: 86.96, inputVat: 13.04, enteredVatInclusive: true, pending: null },
    stock: { declaredQuantity: 2, declaredInStock: true },
    awaitingDecision: true,
    supplyOptionId: null,
    workflow: { workflowId: `offer-review/${id}` },
  });
  const read = succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`));
  expect(read.payload).toEqual({ ...answer.payload, supply: null });
  expect(await messagesTo(gateway.sql, id)).toEqual(['offerReview']);
  expect(await statusChangesOf(gateway.sql, id)).toMatchObject([
    { fromStatus: null, toStatus: 'PendingMatch', reason: null },
  ]);
  expect(await eventsOf(gateway.sql, id)).toEqual([]);
  expect(await auditOf(gateway.sql, id)).toEqual([
    {
      operatorId: parties.operatorIds.Admin,
      action: 'offer.create',
      subjectType: 'offer',
      requestId: 'req-7',
      before: null,
      after: {
        status: 'PendingMatch',
        version: 1,
        variantId: null,
        netHalalas: 8696,
        stagedNetHalalas: null,
      },
    },
  ]);
});

test('a match brings its barcode, and a draft is not reviewed', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const { id: variantId } = parties.variant;
  const matched = await enter(parties, { variantId, rawBrandName: null, rawProductName: null });
  expect(matched.payload).toMatchObject({
    status: 'PendingReview',
    product: { variantId, barcode: '4006381333931', rawBrandName: null },
  });
  const draft = await enter(parties, { saveAsDraft: true });
  expect(draft.payload).toMatchObject({ status: 'Draft', awaitingDecision: false });
  expect(await messagesTo(gateway.sql, textOf(draft, 'id'))).toEqual([]);
});

test('an entered vendorExternalId returns its offer unchanged, without an audit entry', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const first = await enter(parties, { vendorExternalId: 'k' });
  const again = await enter(parties, { vendorExternalId: 'k', cost: 5, saveAsDraft: true });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect([first.details, again.details]).toEqual([{}, { existing: true }]);
  expect(again.payload).toEqual(first.payload);
  expect(await auditOf(gateway.sql, textOf(first, 'id'))).toHaveLength(1);
});

test('an entered and a submitted offer may have one vendorExternalId (D77)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const key = { vendorExternalId: 'k' };
  const submit = (given: object) => parties.byVendor('POST', '', { ...freeFormOffer, ...given });
  const own = textOf(await submit(key), 'id');
  const entered = await enter(parties, { ...key, cost: 5 });
  expect(entered).toMatchObject({
    status: 201,
    payload: { source: 'Manual', ...key, cost: { amount: 5 } },
  });
  expect(await rowOf(gateway.sql, own)).toMatchObject({
    source: 'Api',
    version: 1,
    costNet: 10_000,
  });
  expect(await auditOf(gateway.sql, own)).toEqual([]);

  await enter(parties, { vendorExternalId: 'other' });
  const barcode = '4006381333931';
  const renamed = { vendorExternalId: 'other', barcode };
  expect((await parties.byVendor('PATCH', `/${own}`, renamed)).status).toBe(200);
  expect(await submit({ vendorExternalId: 'k' })).toMatchObject({ status: 201 });
  const third = textOf(await submit({ barcode }), 'id');
  const taken = await parties.byVendor('PATCH', `/${third}`, { vendorExternalId: 'other' });
  expect(fieldErrorsOf(taken)).toEqual(['VendorExternalId taken']);
});

test('twenty entries at once with one key make one offer, one 201 and one audit entry', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => enter(parties, { vendorExternalId: 'race' })),
  );
  expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
    ...Array<number>(19).fill(200),
    201,
  ]);
  expect(new Set(answers.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
  const ids = await offersOf(gateway, parties);
  expect(ids).toHaveLength(1);
  expect(await auditOf(gateway.sql, ids[0] ?? '')).toHaveLength(1);
});

test('the vendor pushes price and stock to an entered offer and reads it (D69)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = textOf(await enter(parties, { variantId: parties.variant.id }), 'id');
  await approveOffer(parties, id);
  const price = { cost: 120, costIsVatInclusive: false };
  expect((await parties.byVendor('PATCH', `/${id}/cost`, price)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 120 } },
  });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  succeeded(await parties.byVendor('PATCH', `/${id}/stock`, stock));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ stockQuantity: 9, net: 10_000 });
  expect(itemsOf(await parties.byVendor('GET', '')).map((item) => item['id'])).toEqual([id]);

  const sellers = await newParties(gateway, percentageOfSale);
  const sold = textOf(await enter(sellers, { variantId: sellers.variant.id }), 'id');
  const sale = { salePrice: 115, salePriceIsVatInclusive: true };
  expect((await sellers.byVendor('PATCH', `/${sold}/sale-price`, sale)).payload).toMatchObject({
    price: { amount: 100, vat: 15, pending: null },
  });
});

test.for([
  [{ cost: 0 }, ['Cost invalid_amount']],
  [{ rawBrandName: ' ' }, ['RawBrandName required']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['DeclaredStockQuantity stock_mismatch']],
  [{ source: 'Api' }, ['Source unknown_field']],
  [{ variantId: unknownId() }, ['VariantId unknown_variant']],
] as const)('%j is 400 %j and stores nothing', async ([given, errors], { gateway }) => {
  const parties = await newParties(gateway);
  expect(fieldErrorsOf(await enter(parties, given))).toEqual(errors);
  expect(await offersOf(gateway, parties)).toEqual([]);
});

test('an inactive variant, a sale price under Model 1 and no vendor are refused', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { id: variantId } = await newVariant(gateway, { isActive: false });
  expect(fieldErrorsOf(await enter(parties, { variantId }))).toEqual(['VariantId unknown_variant']);
  const priced = await enter(parties, { salePrice: 1, salePriceIsVatInclusive: true });
  expect(priced.state).toBe('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
  const { id: noVendor } = parties.variant;
  expect(await enter(parties, {}, noVendor)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
  expect(await offersOf(gateway, parties)).toEqual([]);
});
