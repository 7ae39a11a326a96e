import { describe, expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { statusesToReprice } from '../../../../domain/offers/offer-status.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { refusal, unknownId, type Gateway } from '../../../support/api/api.ts';
import { runsUrlOf } from '../../../support/api/matchers.ts';
import {
  approvedOffer,
  auditOf,
  byNumber,
  everythingOf,
  messagesTo,
  newParties,
  optionOf,
  submitOffer,
  succeeded,
  type Parties,
} from '../../offers/offer-record.ts';
import {
  agreementBody,
  changeAgreement,
  followAll,
  movedKinds,
  newOfferSet,
  offerKinds,
  otherModel,
  priceBody,
  put,
} from './offer-set.ts';
// The body has its cases in `account-body.test.ts`, what the workflow stores in
// `test/db/accounts/agreements.test.ts`.

const toPercentage = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };

/** Everything that a change of the agreement may write for a vendor. */
const recordOf = async ({ sql }: Gateway, vendorId: string) => ({
  vendor: (await sql`select * from vendors where id = ${vendorId}`)[0],
  messages: await messagesTo(sql, vendorId),
  audit: await auditOf(sql, vendorId),
  events: await sql`select id from webhook_events where vendor_id = ${vendorId} order by id`,
  offers: await sql`select * from offers where vendor_id = ${vendorId} order by id`,
});

test('returns what it moves, and writes an audit entry, an event, a message and no offer', async ({
  gateway,
}) => {
  const { parties, vendorId, idOf } = await newOfferSet(gateway, 'CostPlusMargin');
  const { sql } = gateway;
  const other = await approvedOffer(await newParties(gateway));
  const everyOffer = () =>
    Promise.all(
      [other, ...offerKinds.map((kind) => idOf[kind])].map((id) => everythingOf(sql, id)),
    );
  const before = { ...(await recordOf(gateway, vendorId)), offers: await everyOffer() };
  const answer = await put(parties, toPercentage, { vendorId: vendorId.toUpperCase() });
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const agreement = { ...toPercentage, markupPercent: null };
  const vendor = { id: vendorId, name: 'Vendor', isActive: true, agreement };
  const workflowId = `agreement-switch/${vendorId}`;
  expect(answer.payload).toStrictEqual({
    vendor,
    offersMovedToRepricing: movedKinds.length,
    workflow: {
      workflowId,
      url: `http://temporal-ui.test/namespaces/default/workflows/${encodeURIComponent(workflowId)}`,
      runsUrl: runsUrlOf(workflowId),
    },
    dryRun: null,
  });
  const read = await parties.by('Admin', 'GET', `/vendors/${vendorId}`);
  expect(read.payload).toEqual(vendor);
  const after = await recordOf(gateway, vendorId);
  expect(after.audit.slice(before.audit.length)).toEqual([
    {
      operatorId: parties.operators.Admin.id,
      action: 'vendor.agreement',
      subjectType: 'vendor',
      requestId: 'req-7',
      before: { pricingModel: 'CostPlusMargin', markupPercent: 20, commissionPercent: null },
      after: { ...agreement, offersMovedToRepricing: movedKinds.length },
    },
  ]);
  expect(after.messages).toEqual([...before.messages, 'agreementSwitch']);
  expect(after.events).toHaveLength(before.events.length + 1);
  expect(await everyOffer()).toEqual(before.offers);
  await followAll(sql, vendorId);
  expect((await recordOf(gateway, vendorId)).events).toEqual(after.events);
  expect((await everyOffer())[0]).toEqual(before.offers[0]);
});

test('writes nothing for the agreement that is in force already', async ({ gateway }) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const before = await recordOf(gateway, vendorId);
  const body = agreementBody('CostPlusMargin');
  for (const same of [body, { ...body, commissionPercent: null }]) {
    expect(await put(parties, same)).toMatchObject({
      status: 200,
      payload: { vendor: { agreement: body }, offersMovedToRepricing: 0, workflow: null },
    });
  }
  expect(await recordOf(gateway, vendorId)).toEqual(before);
});

test('changes no offer for a new rate', async ({ gateway }) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const before = await recordOf(gateway, vendorId);
  const answer = await changeAgreement(parties, 'CostPlusMargin', 33.33);
  expect(answer.payload).toMatchObject({
    vendor: { agreement: { markupPercent: 33.33 } },
    offersMovedToRepricing: 0,
  });
  const after = await recordOf(gateway, vendorId);
  expect(after.messages.at(-1)).toBe('agreementSwitch');
  expect(after.audit.at(-1)).toMatchObject({
    before: { markupPercent: 20 },
    after: { markupPercent: 33.33, offersMovedToRepricing: 0 },
  });
  expect(after.offers).toEqual(before.offers);
});

test('applies the rate in force to what is approved from then on', async ({ gateway }) => {
  const parties = await newParties(gateway);
  succeeded(await changeAgreement(parties, 'CostPlusMargin', 50));
  const id = await approvedOffer(parties);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await changeAgreement(parties, 'CostPlusMargin', 10));
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('gives new offers the new model before the switch is stored', async ({ gateway }) => {
  const parties = await newParties(gateway);
  await approvedOffer(parties);
  succeeded(await put(parties, toPercentage));
  const id = await submitOffer(parties, priceBody('PercentageOfSale', 80));
  const read = async () => (await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;
  const before = await read();
  expect(before).toMatchObject({ status: 'PendingReview', version: 1, pricingModel: { model: 2 } });
  await followAll(gateway.sql, parties.vendor.vendorId);
  expect(await read()).toEqual(before);
});

test('returns 404 for an unknown vendor, after 400 for a wrong body', async ({ gateway }) => {
  const parties = await newParties(gateway);
  for (const vendorId of [unknownId(), 'x'])
    for (const query of ['', '?dryRun=true']) {
      expect(await put(parties, toPercentage, { vendorId, query })).toMatchObject(
        refusal('NOT_FOUND_VENDOR'),
      );
      expect(await put(parties, {}, { vendorId, query })).toMatchObject({ status: 400 });
    }
});

test('counts the offers once in ten concurrent switches, which all return the agreement', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(parties, toPercentage)));
  for (const { payload } of answers)
    expect(payload).toMatchObject({ vendor: { agreement: { commissionPercent: 12.5 } } });
  const counts = answers.map(({ payload }) => Number(payload?.['offersMovedToRepricing']));
  expect(counts.toSorted(byNumber)).toEqual([...Array<number>(9).fill(0), movedKinds.length]);
  const { vendor, audit } = await recordOf(gateway, vendorId);
  expect(vendor).toMatchObject({ agreementEpoch: 2 });
  expect(audit).toHaveLength(2);
});

const tryOut = (parties: Parties, body: unknown) => put(parties, body, { query: '?dryRun=true' });

describe('a dry run', () => {
  test.for(pricingModels)(
    'of a switch from %s stores nothing, and counts what it does',
    async (from, { gateway }) => {
      const { parties, vendorId } = await newOfferSet(gateway, from);
      const offersNow = () => gateway.sql<
        { id: string; status: string; isStaged: boolean; sells: boolean }[]
      >`
      select offers.id, status, coalesce(pending_cost_net, pending_sale_price_net) is not null
        as is_staged, coalesce(not is_paused, false) as sells
      from offers left join supply_options on offer_id = offers.id
      where offers.vendor_id = ${vendorId} order by offers.id`;
      const record = await recordOf(gateway, vendorId);
      const before = await offersNow();
      const { payload: tried } = await tryOut(parties, agreementBody(otherModel[from]));
      expect(await recordOf(gateway, vendorId)).toEqual(record);
      expect(tried).toMatchObject({
        vendor: { agreement: { pricingModel: from } },
        workflow: null,
      });

      const { payload: switched } = await changeAgreement(parties, otherModel[from]);
      await followAll(gateway.sql, vendorId);
      const after = await offersNow();
      const { offersMovedToRepricing } = tried ?? {};
      expect(switched).toMatchObject({ offersMovedToRepricing, dryRun: null });
      const pairs = before.map((offer, index) => ({ offer, now: after[index] }));
      const moved = pairs.filter(({ offer, now }) => offer.status !== now?.status);
      expect(new Set(moved.map(({ now }) => now?.status))).toEqual(new Set(['PendingRepricing']));
      const { dryRun } = tried as { dryRun: Record<string, number> };
      expect(Object.keys(dryRun['moved'] ?? {})).toEqual(statusesToReprice);
      expect(dryRun).toEqual({
        moved: {
          Approved: moved.filter(({ offer }) => offer.status === 'Approved').length,
          PendingReview: moved.filter(({ offer }) => offer.status === 'PendingReview').length,
        },
        stopSelling: pairs.filter(({ offer, now }) => offer.sells && !now?.sells).length,
        stagedPricesDropped: pairs.filter(({ offer, now }) => offer.isStaged && !now?.isStaged)
          .length,
      });
      expect(dryRun['stopSelling']).toBeGreaterThan(0);
      expect(dryRun['stagedPricesDropped']).toBeGreaterThan(0);
    },
  );

  test('of another percentage counts nothing', async ({ gateway }) => {
    const { parties } = await newOfferSet(gateway, 'CostPlusMargin');
    const { payload } = await tryOut(parties, agreementBody('CostPlusMargin', 33));
    expect(payload).toMatchObject({
      offersMovedToRepricing: 0,
      dryRun: { moved: { Approved: 0, PendingReview: 0 }, stopSelling: 0, stagedPricesDropped: 0 },
    });
  });
});
