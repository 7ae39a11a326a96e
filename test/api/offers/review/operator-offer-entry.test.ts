import { expect } from 'vitest';
import { freeFormOffer, newVariant, percentageOfSale } from '../../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api.ts';
import {
  byNumber,
  approveOffer,
  auditOf,
  newParties,
  eventsOf,
  messagesTo,
  optionOf,
  rowOf,
  statusChangesOf,
  succeeded,
  type Parties,
} from '../offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const enter = (
  parties: Parties,
  given: Readonly<Record<string, unknown>> = {},
  vendorId = parties.vendor.vendorId,
) => parties.by('Admin', 'POST', `/vendors/${vendorId}/offers`, { ...freeFormOffer, ...given });
const offersOf = async (gateway: Gateway, { vendor }: Parties) =>
  (
    await gateway.sql<{ id: string }[]>`select id from offers where vendor_id = ${vendor.vendorId}`
  ).map(({ id }) => id);

test('an offer entered by hand is the vendor’s Manual one, answered as operators see it', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const answer = await enter(parties, {
    vendorExternalId: 'k',
    vendorSku: 's',
    declaredStockQuantity: 2,
    costIsVatInclusive: true,
  });
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
  expect(await rowOf(gateway.sql, id)).toMatchObject({ source: 'Manual' });
  expect(await messagesTo(gateway.sql, id)).toEqual(['offerReview']);
  expect(await statusChangesOf(gateway.sql, id)).toMatchObject([
    { fromStatus: null, toStatus: 'PendingMatch', reason: null },
  ]);
  expect(await eventsOf(gateway.sql, id)).toEqual([]);
});

test('entering is audited once, with nothing before', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = textOf(await enter(parties, { vendorExternalId: 'k' }), 'id');
  succeeded(await enter(parties, { vendorExternalId: 'k' }));
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
        netHalalas: 10_000,
        stagedNetHalalas: null,
      },
    },
  ]);
});

test('the rules of create-offer apply: a match adds its barcode, a draft is not reviewed', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { cost, costIsVatInclusive } = freeFormOffer;
  const variantId = parties.variant.id.toUpperCase();
  const path = `/vendors/${parties.vendor.vendorId.toUpperCase()}/offers`;
  const matched = await parties.by('Admin', 'POST', path, { variantId, cost, costIsVatInclusive });
  expect(matched).toMatchObject({
    status: 201,
    payload: {
      status: 'PendingReview',
      product: { variantId: parties.variant.id, barcode: '4006381333931', rawBrandName: null },
    },
  });
  const draft = await enter(parties, { saveAsDraft: true });
  expect(draft.payload).toMatchObject({
    status: 'Draft',
    awaitingDecision: false,
    awaitingSince: null,
  });
  expect(await messagesTo(gateway.sql, textOf(draft, 'id'))).toEqual([]);
});

test('the same vendorExternalId again is 200 with the same offer, unchanged', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const first = await enter(parties, { vendorExternalId: 'k' });
  const again = await enter(parties, { vendorExternalId: 'k', cost: 5, saveAsDraft: true });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect([first.details, again.details]).toEqual([{}, { existing: true }]);
  expect(again.payload).toEqual(first.payload);
  expect(await offersOf(gateway, parties)).toHaveLength(1);
});

test('D77: the vendor’s own offer with the same key is neither answered nor changed', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const own = succeeded(
    await parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: 'k' }),
  );
  const answer = await enter(parties, { vendorExternalId: 'k', cost: 5 });
  expect(answer).toMatchObject({
    status: 201,
    payload: { source: 'Manual', vendorExternalId: 'k', cost: { amount: 5 } },
  });
  const ownId = textOf(own, 'id');
  expect(textOf(answer, 'id')).not.toBe(ownId);
  expect(await rowOf(gateway.sql, ownId)).toMatchObject({
    source: 'Api',
    version: 1,
    costNet: 10_000,
  });
  expect(await auditOf(gateway.sql, ownId)).toEqual([]);
});

test('D77: create-offer and update-offer ignore a Manual offer with the same key', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const entered = await enter(parties, { vendorExternalId: 'k' });
  const own = await parties.byVendor('POST', '', {
    ...freeFormOffer,
    vendorExternalId: 'k',
    cost: 5,
  });
  expect(own).toMatchObject({ status: 201, payload: { source: 'Api', cost: 5 } });
  const enteredId = textOf(entered, 'id');
  expect(textOf(own, 'id')).not.toBe(enteredId);
  expect(await rowOf(gateway.sql, enteredId)).toMatchObject({ version: 1, costNet: 10_000 });

  await enter(parties, { vendorExternalId: 'other' });
  const barcode = '4006381333931';
  const renamed = { vendorExternalId: 'other', barcode };
  expect(await parties.byVendor('PATCH', `/${textOf(own, 'id')}`, renamed)).toMatchObject({
    status: 200,
    payload: { vendorExternalId: 'other' },
  });
  const third = textOf(await parties.byVendor('POST', '', { ...freeFormOffer, barcode }), 'id');
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

test('the vendor cannot update it (404), and can push its price and its stock (D69)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = textOf(await enter(parties, { variantId: parties.variant.id }), 'id');
  await approveOffer(parties, id);
  for (const body of [
    {},
    { vendorSku: 'x' },
    { cost: 1, costIsVatInclusive: true },
    { cost: 1, costIsVatInclusive: true, declaredInStock: true },
  ]) {
    expect(await parties.byVendor('PATCH', `/${id}`, body)).toMatchObject(
      refusal('NOT_FOUND_VENDOR_OFFER'),
    );
  }
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2, vendorSku: null });

  const price = await parties.byVendor('PATCH', `/${id}/cost`, {
    cost: 120,
    costIsVatInclusive: false,
  });
  expect(price).toMatchObject({
    status: 200,
    payload: { cost: { amount: 100, pending: { amount: 120 } } },
  });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  expect(await parties.byVendor('PATCH', `/${id}/stock`, stock)).toMatchObject({ status: 200 });
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    stockQuantity: 9,
    inStock: true,
    net: 10_000,
  });
  expect(await parties.byVendor('GET', `/${id}`)).toMatchObject({ status: 200 });
  expect(itemsOf(await parties.byVendor('GET', '')).map((item) => item['id'])).toEqual([id]);
});

test('a sale price is pushed to a Manual offer under Model 2', async ({ gateway }) => {
  const parties = await newParties(gateway, percentageOfSale);
  const id = textOf(await enter(parties, { variantId: parties.variant.id }), 'id');
  const body = { salePrice: 115, salePriceIsVatInclusive: true };
  expect(await parties.byVendor('PATCH', `/${id}/sale-price`, body)).toMatchObject({
    status: 200,
    payload: { price: { amount: 100, vat: 15, pending: null } },
  });
});

test('an unknown vendor is 404, after a wrong body; nothing is stored', async ({ gateway }) => {
  const parties = await newParties(gateway);
  for (const vendorId of [unknownId(), 'x', parties.variant.id]) {
    expect(await enter(parties, {}, vendorId)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await enter(parties, { cost: -1 }, vendorId)).toMatchObject({ status: 400 });
  }
  expect(await offersOf(gateway, parties)).toEqual([]);
});

test.for([
  [{ cost: null }, ['Cost invalid_type']],
  [{ costIsVatInclusive: undefined }, ['CostIsVatInclusive required']],
  [{ cost: 1.005 }, ['Cost invalid_amount']],
  [{ rawBrandName: ' ' }, ['RawBrandName required']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['DeclaredStockQuantity stock_mismatch']],
  [
    { source: 'Api', enteredVatInclusive: true },
    ['EnteredVatInclusive unknown_field', 'Source unknown_field'],
  ],
  [{ variantId: unknownId() }, ['VariantId unknown_variant']],
] as const)('%j is 400, and enters nothing', async ([given, errors], { gateway }) => {
  const parties = await newParties(gateway);
  const answer = await enter(parties, given);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await offersOf(gateway, parties)).toEqual([]);
});

test('an inactive variant is 400; a sale price under Model 1 is 422', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const inactive = await newVariant(gateway, { isActive: false });
  expect(fieldErrorsOf(await enter(parties, { variantId: inactive.id }))).toEqual([
    'VariantId unknown_variant',
  ]);
  const priced = await enter(parties, { salePrice: 1, salePriceIsVatInclusive: true });
  expect(priced).toMatchObject({
    status: 422,
    state: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
  });
  expect(await offersOf(gateway, parties)).toEqual([]);
});

test('only an administrator enters offers', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const path = `/vendors/${parties.vendor.vendorId}/offers`;
  for (const role of ['Reviewer', 'Operations'] as const) {
    expect(await parties.by(role, 'POST', path, freeFormOffer)).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Admin' }),
    );
  }
  const { token } = parties.vendor;
  const byVendor = await call(gateway, 'POST', `/operator/v1${path}`, {
    token,
    body: freeFormOffer,
  });
  expect(byVendor).toMatchObject({ status: 403, state: 'FORBIDDEN' });
  expect(await offersOf(gateway, parties)).toEqual([]);
});
