import { expect } from 'vitest';
import { agreementBody, followAll, movedKinds, newOfferSet, offerKinds } from './offer-set.ts';
import {
  approvedOffer,
  auditOf,
  newParties,
  eventsOf,
  everythingOf,
  messagesTo,
  optionOf,
  succeeded,
} from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { put, read, vendorRow, toPercentage } from './operator-agreement-fixture.ts';
import { runsUrlOf } from '../../support/matchers.ts';

test('the answer has the vendor, the number of moved offers and the link to the workflow', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const answer = await put(parties, toPercentage, vendorId.toUpperCase());
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
      runsUrl: runsUrlOf(`agreement-switch/${vendorId}`),
    },
  });
  expect(succeeded(await parties.by('Admin', 'GET', `/vendors/${vendorId}`)).payload).toEqual(
    vendor,
  );
});

test('a switch writes one audit entry and one message, and no offer', async ({ gateway }) => {
  const { parties, vendorId, idOf } = await newOfferSet(gateway, 'PercentageOfSale');
  const told = await messagesTo(gateway.sql, vendorId);
  const entries = await auditOf(gateway.sql, vendorId);
  const before = await Promise.all(offerKinds.map((kind) => everythingOf(gateway.sql, idOf[kind])));
  succeeded(await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 0 }));
  expect((await auditOf(gateway.sql, vendorId)).slice(entries.length)).toEqual([
    {
      operatorId: parties.operatorIds.Admin,
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
  const [parties, other] = [await newParties(gateway), await newParties(gateway)];
  const id = await approvedOffer(other);
  const before = await read(other, id);
  expect((await put(parties, toPercentage)).payload).toMatchObject({ offersMovedToRepricing: 0 });
  await followAll(gateway.sql, parties.vendor.vendorId);
  expect(await read(other, id)).toEqual(before);
});

test('the switch makes one event of its own, and none of the offers', async ({ gateway }) => {
  const { parties, vendorId, idOf } = await newOfferSet(gateway, 'CostPlusMargin');
  const countEvents = async () =>
    (await gateway.sql`select id from webhook_events where vendor_id = ${vendorId}`).length;
  const before = await countEvents();
  succeeded(await put(parties, toPercentage));
  await followAll(gateway.sql, vendorId);
  expect(await countEvents()).toBe(before + 1);
  expect(await eventsOf(gateway.sql, idOf.approved)).toHaveLength(1);
});

test('the agreement that is in force already moves nothing, and starts and leaves nothing', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const record = async () => ({
    vendor: await vendorRow(gateway, parties),
    audit: await auditOf(gateway.sql, vendorId),
    messages: await messagesTo(gateway.sql, vendorId),
    offers: await gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`,
  });
  const before = await record();
  for (const body of [
    agreementBody('CostPlusMargin'),
    { ...agreementBody('CostPlusMargin'), commissionPercent: null },
  ]) {
    expect(await put(parties, body)).toMatchObject({
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

test('a new rate changes no offer; the workflow then reprices the supply options', async ({
  gateway,
}) => {
  const { parties, vendorId, idOf } = await newOfferSet(gateway, 'CostPlusMargin');
  const offers = () => gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
  const before = await offers();
  const answer = await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 33.33 });
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
