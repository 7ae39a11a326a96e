import { expect } from 'vitest';
import { agreementBody, followAll, movedKinds, newOfferSet, offerKinds } from './offer-set.ts';
import {
  approvedOffer,
  auditOf,
  byNumber,
  newParties,
  everythingOf,
  messagesTo,
  optionOf,
  succeeded,
} from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { put, vendorRow, toPercentage } from './operator-agreement-fixture.ts';
import { refusal, unknownId } from '../../../support/api/api.ts';
import { runsUrlOf } from '../../../support/api/matchers.ts';
// The body has its cases in `account-body.test.ts`, the batches in `test/db/accounts`.

test('returns what it moves, and writes an audit entry, an event, a message and no offer', async ({
  gateway,
}) => {
  const { parties, vendorId, idOf } = await newOfferSet(gateway, 'CostPlusMargin');
  const { sql } = gateway;
  const other = await newParties(gateway);
  const ids = [await approvedOffer(other), ...offerKinds.map((kind) => idOf[kind])];
  const record = async () => ({
    messages: await messagesTo(sql, vendorId),
    audit: await auditOf(sql, vendorId),
    events: await sql`select id from webhook_events where vendor_id = ${vendorId} order by id`,
    offers: await Promise.all(ids.map((id) => everythingOf(sql, id))),
  });
  const before = await record();
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
    dryRun: null,
  });
  expect(succeeded(await parties.by('Admin', 'GET', `/vendors/${vendorId}`)).payload).toEqual(
    vendor,
  );
  const after = await record();
  expect(after.audit.slice(before.audit.length)).toEqual([
    {
      operatorId: parties.operatorIds.Admin,
      action: 'vendor.agreement',
      subjectType: 'vendor',
      requestId: 'req-7',
      before: { pricingModel: 'CostPlusMargin', markupPercent: 20, commissionPercent: null },
      after: {
        pricingModel: 'PercentageOfSale',
        markupPercent: null,
        commissionPercent: 12.5,
        offersMovedToRepricing: movedKinds.length,
      },
    },
  ]);
  expect(after.messages).toEqual([...before.messages, 'agreementSwitch']);
  expect(after.events).toHaveLength(before.events.length + 1);
  expect(after.offers).toEqual(before.offers);
  await followAll(sql, vendorId);
  const followed = await record();
  expect(followed.events).toEqual(after.events);
  // Another vendor's offer.
  expect(followed.offers[0]).toEqual(before.offers[0]);
});

test('writes nothing for the agreement that is in force already', async ({ gateway }) => {
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

test('changes no offer for a new rate; the workflow then reprices the supply options', async ({
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

test('returns 404 for an unknown vendor, after 400 for a wrong body', async ({ gateway }) => {
  const parties = await newParties(gateway);
  for (const vendorId of [unknownId(), 'x']) {
    expect(await put(parties, toPercentage, vendorId)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await put(parties, {}, vendorId)).toMatchObject({ status: 400 });
  }
});

test('counts the offers once in ten concurrent switches, which all return the agreement', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(parties, toPercentage)));
  expect(
    answers.map(({ payload }) => Number(payload?.['offersMovedToRepricing'])).toSorted(byNumber),
  ).toEqual([...Array<number>(9).fill(0), movedKinds.length]);
  for (const { payload } of answers) {
    expect(payload).toMatchObject({ vendor: { agreement: { commissionPercent: 12.5 } } });
  }
  expect(await vendorRow(gateway, parties)).toMatchObject({ agreementEpoch: 2 });
  expect(await auditOf(gateway.sql, vendorId)).toHaveLength(2);
});
