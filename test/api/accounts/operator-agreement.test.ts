import { expect } from 'vitest';
import { newVariant, percentageOfSale } from '../support/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  agreementBody,
  changeAgreement,
  followAll,
  movedKinds,
  newFleet,
  offerKinds,
  priceBody,
} from './offer-fleet.ts';
import {
  byNumber,
  approvedOffer,
  approveOffer,
  auditOf,
  castOf,
  eventsOf,
  everythingOf,
  messagesTo,
  optionOf,
  rowOf,
  submitOffer,
  succeeded,
  wayOf,
  type Cast,
} from '../offers/offer-record.ts';
import { gatewayTest as test } from '../../support/gateway-test.ts';

const put = (cast: Cast, body: unknown, vendorId = cast.vendor.vendorId) =>
  cast.by('Admin', 'PATCH', `/vendors/${vendorId}/agreement`, body);
const read = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'GET', `/offers/${id}`)).payload;
const vendorRow = async (gateway: Gateway, { vendor }: Cast) =>
  (await gateway.sql`select * from vendors where id = ${vendor.vendorId}`)[0];
const toPercentage = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };

test('the answer tells the vendor, how many offers move to PendingRepricing, and the way to the workflow', async ({
  gateway,
}) => {
  const { cast, vendorId } = await newFleet(gateway, 'CostPlusMargin');
  const answer = await put(cast, toPercentage, vendorId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const vendor = {
    id: vendorId,
    name: 'Vendor',
    isActive: true,
    agreement: { pricingModel: 'PercentageOfSale', markupPercent: null, commissionPercent: 12.5 },
  };
  expect(answer.payload).toStrictEqual({
    vendor,
    offersMovedToRepricing: movedKinds.length,
    workflow: {
      workflowId: `agreement-switch/${vendorId}`,
      url: `http://temporal-ui.test/namespaces/default/workflows/agreement-switch%2F${vendorId}`,
    },
  });
  expect(succeeded(await cast.by('Admin', 'GET', `/vendors/${vendorId}`)).payload).toEqual(vendor);
});

test('a switch is audited and told to its workflow once, and nothing of any offer is written by the call', async ({
  gateway,
}) => {
  const { cast, vendorId, idOf } = await newFleet(gateway, 'PercentageOfSale');
  const told = await messagesTo(gateway.sql, vendorId);
  const entries = await auditOf(gateway.sql, vendorId);
  const before = await Promise.all(offerKinds.map((kind) => everythingOf(gateway.sql, idOf[kind])));
  succeeded(await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 0 }));
  expect((await auditOf(gateway.sql, vendorId)).slice(entries.length)).toEqual([
    {
      operatorId: cast.operatorIds.Admin,
      action: 'vendor.agreement',
      subjectType: 'vendor',
      requestId: 'req-7',
      before: { pricingModel: 'PercentageOfSale', markupPercent: null, commissionPercent: 15 },
      after: {
        pricingModel: 'CostPlusMargin',
        markupPercent: 0,
        commissionPercent: null,
        offersMovedToRepricing: movedKinds.length,
      },
    },
  ]);
  expect(await messagesTo(gateway.sql, vendorId)).toEqual([...told, 'agreementSwitch']);
  expect(
    await Promise.all(offerKinds.map((kind) => everythingOf(gateway.sql, idOf[kind]))),
  ).toEqual(before);
});

test('another vendor’s offers are not touched', async ({ gateway }) => {
  const [cast, other] = [await castOf(gateway), await castOf(gateway)];
  const id = await approvedOffer(other);
  const before = await read(other, id);
  expect((await put(cast, toPercentage)).payload).toMatchObject({ offersMovedToRepricing: 0 });
  await followAll(gateway.sql, cast.vendor.vendorId);
  expect(await read(other, id)).toEqual(before);
});

test('the switch makes no event', async ({ gateway }) => {
  const { cast, vendorId, idOf } = await newFleet(gateway, 'CostPlusMargin');
  const countEvents = async () =>
    (await gateway.sql`select id from webhook_events where vendor_id = ${vendorId}`).length;
  const before = await countEvents();
  succeeded(await put(cast, toPercentage));
  await followAll(gateway.sql, vendorId);
  expect(await countEvents()).toBe(before);
  expect(await eventsOf(gateway.sql, idOf.approved)).toHaveLength(1);
});

test('the agreement that is in force already moves nothing, and starts and leaves nothing', async ({
  gateway,
}) => {
  const { cast, vendorId } = await newFleet(gateway, 'CostPlusMargin');
  const record = async () => ({
    vendor: await vendorRow(gateway, cast),
    audit: await auditOf(gateway.sql, vendorId),
    messages: await messagesTo(gateway.sql, vendorId),
    offers: await gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`,
  });
  const before = await record();
  for (const body of [
    agreementBody('CostPlusMargin'),
    { ...agreementBody('CostPlusMargin'), commissionPercent: null },
  ]) {
    expect(await put(cast, body)).toMatchObject({
      status: 200,
      payload: {
        vendor: { agreement: { pricingModel: 'CostPlusMargin', markupPercent: 20 } },
        offersMovedToRepricing: 0,
        workflow: null,
      },
    });
  }
  expect(await record()).toEqual(before);
});

test('only the rate: no offer moves or changes, and what sells is priced anew when its workflow follows', async ({
  gateway,
}) => {
  const { cast, vendorId, idOf } = await newFleet(gateway, 'CostPlusMargin');
  const offers = () => gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
  const before = await offers();
  const answer = await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 33.33 });
  expect(answer.payload).toMatchObject({
    vendor: { agreement: { markupPercent: 33.33 } },
    offersMovedToRepricing: 0,
  });
  expect((await messagesTo(gateway.sql, vendorId)).at(-1)).toBe('agreementSwitch');
  expect((await auditOf(gateway.sql, vendorId)).at(-1)).toMatchObject({
    before: { markupPercent: 20 },
    after: { markupPercent: 33.33, offersMovedToRepricing: 0 },
  });
  expect(await optionOf(gateway.sql, idOf.approved)).toMatchObject({ sellNet: 12_000 });
  const batches = await followAll(gateway.sql, vendorId, 3);
  expect(batches.map(({ offers }) => offers)).toEqual(Array<number>(batches.length).fill(0));
  expect(await offers()).toEqual(before);
  for (const kind of ['approved', 'suspended', 'inReviewAgain', 'withdrawn'] as const) {
    expect(await optionOf(gateway.sql, idOf[kind])).toMatchObject({
      net: 10_000,
      sellNet: 13_333,
      payoutNet: 10_000,
      rateBasisPoints: 3333,
    });
  }
  // Its price is of the other model, and stays out of use.
  expect(await optionOf(gateway.sql, idOf.repricing)).toMatchObject({
    pricingModel: 'PercentageOfSale',
    rateBasisPoints: 1500,
    isPaused: true,
  });
});

test('the rate in force counts at once for whatever is approved after it', async ({ gateway }) => {
  const cast = await castOf(gateway);
  succeeded(await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 50 }));
  const id = await approvedOffer(cast);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 10 }));
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('an offer to be repriced leaves by the new model’s price only, and sells again when it is approved', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { declaredStockQuantity: 3 });
  succeeded(await put(cast, toPercentage));
  const old = await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 100));
  expect(old).toMatchObject({ status: 422, state: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  for (const [path, body] of [
    ['', { vendorSku: 'X' }],
    ['/stock', stock],
  ] as const) {
    expect(await cast.byVendor('PATCH', `/${id}${path}`, body)).toMatchObject({
      status: 200,
      payload: { status: 'PendingRepricing' },
    });
  }
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true, stockQuantity: 9 });
  const pushed = await cast.byVendor(
    'PATCH',
    `/${id}/sale-price`,
    priceBody('PercentageOfSale', 200),
  );
  expect(pushed).toMatchObject({ status: 200, payload: { status: 'PendingReview' } });
  expect(await read(cast, id)).toMatchObject({
    awaitingDecision: true,
    supply: { isPaused: true },
  });
  await approveOffer(cast, id);
  expect(await read(cast, id)).toMatchObject({
    status: 'Approved',
    price: { amount: 200, pending: null },
    supply: { isPaused: false, netPrice: 200, sellPrice: 200, payoutPrice: 175, stockQuantity: 9 },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ pricingModel: 'PercentageOfSale' });
  expect(await wayOf(gateway.sql, id)).toBe(
    'PendingReview > Approved > PendingRepricing > PendingReview > Approved',
  );
});

test('the price of the new model sent unchanged leaves PendingRepricing too (D29)', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await put(cast, toPercentage));
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await read(cast, id)).toMatchObject({ status: 'PendingRepricing', cost: { amount: 100 } });
  const same = await cast.byVendor('PATCH', `/${id}`, priceBody('CostPlusMargin', 100));
  expect(same).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', cost: { pending: null } },
  });
});

test('without a barcode a price does not resubmit it (400), stock is taken, and a price with a barcode does', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const { id: variantId } = await newVariant(gateway, { barcode: null });
  const id = await submitOffer(cast, { variantId });
  succeeded(await put(cast, toPercentage));
  const price = priceBody('PercentageOfSale', 200);
  for (const path of ['/sale-price', '']) {
    const refused = await cast.byVendor('PATCH', `/${id}${path}`, price);
    expect(refused.status).toBe(400);
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
  }
  expect(await read(cast, id)).toMatchObject({
    status: 'PendingRepricing',
    version: 2,
    price: { amount: null },
  });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  expect(await cast.byVendor('PATCH', `/${id}/stock`, stock)).toMatchObject({
    status: 200,
    payload: { status: 'PendingRepricing', stock: { declaredQuantity: 9 } },
  });
  expect(await cast.byVendor('PATCH', `/${id}`, { ...price, barcode: '96385074' })).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', price: { amount: 200, pending: null } },
  });
});

test('a suspended offer reinstated under another model waits for its price, and stays paused', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'x' }));
  succeeded(await put(cast, toPercentage));
  const answer = await cast.by('Reviewer', 'POST', `/offers/${id}/reinstate`, { reason: 'y' });
  expect(answer.payload).toMatchObject({ status: 'PendingRepricing' });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true });
});

test('a price staged under the old model is dropped: there is nothing to apply, also after switching back', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 150)));
  const nothing = refusal('BUSINESS_OFFER_NO_PENDING_PRICE');
  const apply = () => cast.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {});
  succeeded(await put(cast, toPercentage));
  expect(await apply()).toMatchObject(nothing);
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await apply()).toMatchObject(nothing);
  await followAll(gateway.sql, cast.vendor.vendorId);
  expect(await apply()).toMatchObject(nothing);
  expect(await read(cast, id)).toMatchObject({ cost: { amount: 100, pending: null } });
});

test('a decision on what an offer was before a switch is 409: before the first, and before a second that follows at once', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await submitOffer(cast, { variantId: null });
  const approve = async (expectedVersion: unknown) =>
    cast.by('Reviewer', 'POST', `/offers/${id}/approve`, {
      variantId: cast.variant.id,
      expectedVersion,
    });
  const first = (await read(cast, id))?.['version'];
  succeeded(await put(cast, toPercentage));
  expect(await approve(first)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
  const second = (await read(cast, id))?.['version'];
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await approve(second)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
});

test('new offers are under the new model at once, beside those that are still to be stored', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const old = await approvedOffer(cast);
  succeeded(await put(cast, toPercentage));
  const id = await submitOffer(cast, priceBody('PercentageOfSale', 80));
  const before = await read(cast, id);
  expect(before).toMatchObject({ status: 'PendingReview', version: 1, pricingModel: { model: 2 } });
  await followAll(gateway.sql, cast.vendor.vendorId);
  expect(await read(cast, id)).toEqual(before);
  expect(await rowOf(gateway.sql, old)).toMatchObject({ status: 'PendingRepricing' });
});

test('a vendor without offers is switched; following it settles at once', async ({ gateway }) => {
  const cast = await castOf(gateway, percentageOfSale);
  expect((await changeAgreement(cast, 'CostPlusMargin')).payload).toMatchObject({
    offersMovedToRepricing: 0,
  });
  expect(await followAll(gateway.sql, cast.vendor.vendorId)).toEqual([
    { offers: 0, supplyOptions: 0, remaining: 0, isSettled: true },
  ]);
  expect(await vendorRow(gateway, cast)).toMatchObject({
    agreementEpoch: 1,
    agreementSettledEpoch: 1,
  });
});

test('following goes on in batches, and once settled does nothing more', async ({ gateway }) => {
  const { cast, vendorId } = await newFleet(gateway, 'CostPlusMargin');
  succeeded(await put(cast, toPercentage));
  const batches = await followAll(gateway.sql, vendorId, 4);
  const counted = batches
    .filter(({ offers }) => offers > 0)
    .map(({ offers, remaining }) => [offers, remaining]);
  expect(counted).toEqual([
    [4, 11],
    [4, 7],
    [4, 3],
    [3, 0],
  ]);
  const stored = () => gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
  const before = await stored();
  expect(await followAll(gateway.sql, vendorId)).toEqual([
    { offers: 0, supplyOptions: 0, remaining: 0, isSettled: true },
  ]);
  expect(await stored()).toEqual(before);
});

test.for([
  [{}, ['PricingModel required']],
  [{ pricingModel: 'Other', markupPercent: 1 }, ['PricingModel not_allowed']],
  [{ pricingModel: 'costplusmargin', markupPercent: 1 }, ['PricingModel not_allowed']],
  [{ pricingModel: 'CostPlusMargin' }, ['MarkupPercent agreement_mismatch']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: null }, ['MarkupPercent agreement_mismatch']],
  [{ pricingModel: 'PercentageOfSale' }, ['CommissionPercent agreement_mismatch']],
  [
    { pricingModel: 'PercentageOfSale', markupPercent: 1 },
    ['CommissionPercent agreement_mismatch', 'MarkupPercent agreement_mismatch'],
  ],
  [
    { pricingModel: 'CostPlusMargin', markupPercent: 1, commissionPercent: 1 },
    ['CommissionPercent agreement_mismatch'],
  ],
  [{ pricingModel: 'CostPlusMargin', markupPercent: '1' }, ['MarkupPercent invalid_type']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: -0.01 }, ['MarkupPercent invalid_percent']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 1000.01 }, ['MarkupPercent invalid_percent']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 1.005 }, ['MarkupPercent invalid_percent']],
  [
    { pricingModel: 'PercentageOfSale', commissionPercent: 100.01 },
    ['CommissionPercent invalid_percent'],
  ],
  [{ pricingModel: 'PercentageOfSale', commissionPercent: 1, name: 'V' }, ['Name unknown_field']],
] as const)('the agreement %j is 400, and changes nothing', async ([body, errors], { gateway }) => {
  const cast = await castOf(gateway);
  const before = await vendorRow(gateway, cast);
  const answer = await put(cast, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await vendorRow(gateway, cast)).toEqual(before);
  expect(await messagesTo(gateway.sql, cast.vendor.vendorId)).toEqual([]);
});

test('the ends of the range are agreements: nothing, 1,000 % on a cost, 100 % of a sale', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  for (const [model, percent] of [
    ['CostPlusMargin', 0],
    ['CostPlusMargin', 1000],
    ['PercentageOfSale', 0],
    ['PercentageOfSale', 100],
  ] as const) {
    expect(await changeAgreement(cast, model, percent)).toMatchObject({ status: 200 });
  }
});

test('an unknown vendor is 404, after a wrong body', async ({ gateway }) => {
  const cast = await castOf(gateway);
  for (const vendorId of [unknownId(), 'x']) {
    expect(await put(cast, toPercentage, vendorId)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await put(cast, {}, vendorId)).toMatchObject({ status: 400 });
  }
});

test('only an administrator changes an agreement', async ({ gateway }) => {
  const cast = await castOf(gateway);
  const { vendorId, token } = cast.vendor;
  const before = await vendorRow(gateway, cast);
  const path = `/vendors/${vendorId}/agreement`;
  for (const role of ['Reviewer', 'Operations'] as const) {
    expect(await cast.by(role, 'PATCH', path, toPercentage)).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Admin' }),
    );
  }
  const byVendor = await call(gateway, 'PATCH', `/operator/v1${path}`, {
    token,
    body: toPercentage,
  });
  expect(byVendor).toMatchObject({ status: 403, state: 'FORBIDDEN' });
  expect(await vendorRow(gateway, cast)).toEqual(before);
});

test('of ten switches at once to one agreement one counts the offers, and each answers it', async ({
  gateway,
}) => {
  const { cast, vendorId } = await newFleet(gateway, 'CostPlusMargin');
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(cast, toPercentage)));
  expect(
    answers.map(({ payload }) => Number(payload?.['offersMovedToRepricing'])).toSorted(byNumber),
  ).toEqual([...Array<number>(9).fill(0), movedKinds.length]);
  for (const { payload } of answers) {
    expect(payload).toMatchObject({ vendor: { agreement: { commissionPercent: 12.5 } } });
  }
  expect(await vendorRow(gateway, cast)).toMatchObject({ agreementEpoch: 2 });
  const listed = await cast.by('Admin', 'GET', `/audit?subjectId=${vendorId}`);
  expect(itemsOf(listed)).toHaveLength(2);
});
