import { expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { statusesToReprice } from '../../../../domain/offers/offer-status.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { refusal, succeeded, unknownId, type Gateway } from '../../../support/api/api.ts';
import { workflowOf } from '../../../support/api/matchers.ts';
import {
  approvedOffer,
  auditOf,
  byNumber,
  everythingOf,
  messagesTo,
  newParties,
  optionOf,
  submitOffer,
} from '../../offers/offer-record.ts';
import {
  agreementBody,
  changeAgreement,
  followAll,
  movedKinds,
  newOfferSet,
  otherModel,
  priceBody,
  put,
} from './offer-set.ts';
// The body has its cases in `account-body.test.ts`, what the workflow stores in
// `test/db/accounts/agreements.test.ts`.

/** Everything that a change of the agreement may write for a vendor. */
const recordOf = async ({ sql }: Gateway, vendorId: string) => ({
  vendor: (await sql`select * from vendors where id = ${vendorId}`)[0],
  messages: await messagesTo(sql, vendorId),
  audit: await auditOf(sql, vendorId),
  events: await sql`select id from webhook_events where vendor_id = ${vendorId} order by id`,
  offers: await sql`select * from offers where vendor_id = ${vendorId} order by id`,
});

const test = gatewayTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  /** An offer set under Model 1, and what is stored of its vendor. */
  .extend('set', ({ gateway }) => newOfferSet(gateway, 'CostPlusMargin'))
  .extend(
    'record',
    ({ gateway, set }) =>
      () =>
        recordOf(gateway, set.vendorId),
  );

const toPercentage = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };

test('counts the offers that a switch moves; writes audit entry, event, message, no offer', async ({
  gateway: { sql },
  parties: others,
  set: { parties, vendorId, idOf },
  record,
}) => {
  const other = await approvedOffer(others);
  const everyOffer = () =>
    Promise.all([other, ...Object.values(idOf)].map((id) => everythingOf(sql, id)));
  const before = { ...(await record()), offers: await everyOffer() };
  const response = await put(parties, toPercentage, { vendorId: vendorId.toUpperCase() });
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const agreement = { ...toPercentage, markupPercent: null };
  const vendor = { id: vendorId, name: 'Vendor', isActive: true, agreement };
  expect(response.payload).toStrictEqual({
    vendor,
    offersMovedToRepricing: movedKinds.length,
    workflow: workflowOf(`agreement-switch/${vendorId}`),
    dryRun: null,
  });
  const read = await parties.by('Admin', 'GET', `/vendors/${vendorId}`);
  expect(read.payload).toEqual(vendor);
  const after = await record();
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
  expect((await record()).events).toEqual(after.events);
  expect((await everyOffer())[0]).toEqual(before.offers[0]);
});

test('writes nothing for the agreement that is already in force', async ({ set, record }) => {
  const before = await record();
  const body = agreementBody('CostPlusMargin');
  for (const same of [body, { ...body, commissionPercent: null }])
    expect(await put(set.parties, same)).toMatchObject({
      status: 200,
      payload: { vendor: { agreement: body }, offersMovedToRepricing: 0, workflow: null },
    });
  expect(await record()).toEqual(before);
});

test('changes no offer for a new rate', async ({ set, record }) => {
  const before = await record();
  const response = await changeAgreement(set.parties, 'CostPlusMargin', 33.33);
  const none = { offersMovedToRepricing: 0 };
  expect(response.payload).toMatchObject({
    vendor: { agreement: { markupPercent: 33.33 } },
    ...none,
  });
  const after = await record();
  expect(after.messages.at(-1)).toBe('agreementSwitch');
  const entry = { before: { markupPercent: 20 }, after: { markupPercent: 33.33, ...none } };
  expect(after.audit.at(-1)).toMatchObject(entry);
  expect(after.offers).toEqual(before.offers);
});

test('applies the rate in force to each later approval', async ({ gateway: { sql }, parties }) => {
  succeeded(await changeAgreement(parties, 'CostPlusMargin', 50));
  const id = await approvedOffer(parties);
  expect(await optionOf(sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await changeAgreement(parties, 'CostPlusMargin', 10));
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('gives new offers the new model before the switch is stored', async ({
  gateway: { sql },
  parties,
}) => {
  await approvedOffer(parties);
  succeeded(await put(parties, toPercentage));
  const id = await submitOffer(parties, priceBody('PercentageOfSale', 80));
  const read = async () => (await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;
  const before = await read();
  expect(before).toMatchObject({ status: 'PendingReview', version: 1, pricingModel: { model: 2 } });
  await followAll(sql, parties.vendor.vendorId);
  expect(await read()).toEqual(before);
});

test('counts moved offers once in ten concurrent switches, which all return the agreement', async ({
  set: { parties },
  record,
}) => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => put(parties, toPercentage)));
  for (const { payload } of responses)
    expect(payload).toMatchObject({ vendor: { agreement: { commissionPercent: 12.5 } } });
  const counts = responses.map(({ payload }) => Number(payload?.['offersMovedToRepricing']));
  expect(counts.toSorted(byNumber)).toEqual([...Array<number>(9).fill(0), movedKinds.length]);
  const { vendor, audit } = await record();
  expect(vendor).toMatchObject({ agreementEpoch: 2 });
  expect(audit).toHaveLength(2);
});

const dryRun = { query: '?dryRun=true' };

test.for(pricingModels)(
  'stores nothing in a dry run of a switch from %s, and counts what the switch does',
  async (from, { gateway }) => {
    const { parties, vendorId } = await newOfferSet(gateway, from);
    const [own, other] =
      from === 'CostPlusMargin' ? ['cost', 'sale_price'] : ['sale_price', 'cost'];
    const offersNow = () => gateway.sql<
      {
        id: string;
        status: string;
        isStaged: boolean;
        sells: boolean;
        own: boolean;
        other: boolean;
      }[]
    >`
      select offers.id, status, coalesce(pending_cost_net, pending_sale_price_net) is not null
        as is_staged, coalesce(not is_paused, false) as sells,
        greatest(${gateway.sql.unsafe(own)}_net, pending_${gateway.sql.unsafe(own)}_net) > 0 as own, coalesce(${gateway.sql.unsafe(other)}_net, 0) > 0 as other
      from offers left join supply_options on offer_id = offers.id
      where offers.vendor_id = ${vendorId} order by offers.id`;
    const record = await recordOf(gateway, vendorId);
    const before = await offersNow();
    const { payload: tried } = await put(parties, agreementBody(otherModel[from]), dryRun);
    expect(await recordOf(gateway, vendorId)).toEqual(record);
    const vendor = { agreement: { pricingModel: from } };
    expect(tried).toMatchObject({ vendor, workflow: null });

    const { payload: switched } = await changeAgreement(parties, otherModel[from]);
    await followAll(gateway.sql, vendorId);
    const after = await offersNow();
    const { offersMovedToRepricing, dryRun: counted } = tried ?? {};
    expect(switched).toMatchObject({ offersMovedToRepricing, dryRun: null });
    const pairs = before.map((offer, index) => ({ offer, now: after[index] }));
    const moved = pairs.filter(({ offer, now }) => offer.status !== now?.status);
    expect(new Set(moved.map(({ now }) => now?.status))).toEqual(new Set(['PendingRepricing']));
    const byStatus = (counted: typeof pairs) =>
      Object.fromEntries(
        statusesToReprice.map((status) => [
          status,
          counted.filter(({ offer }) => offer.status === status).length,
        ]),
      );
    const stopped = pairs.filter(({ offer, now }) => offer.sells && now?.sells !== true);
    const dropped = pairs.filter(({ offer, now }) => offer.isStaged && now?.isStaged !== true);
    const hasPrice = ({ own, other }: (typeof before)[number]) => own && !other;
    const losing = before.filter(hasPrice).map(({ status }) => status);
    const losePrice = [...new Set(losing)].toSorted().map((status) => ({
      status,
      count: losing.filter((each) => each === status).length,
    }));
    expect(losing.length > 0).toBe(from === 'CostPlusMargin');
    const effects = {
      losePrice,
      moved: byStatus(moved),
      stopSelling: stopped.length,
      stopSellingByStatus: byStatus(stopped),
      stagedPricesDropped: dropped.length,
    };
    expect(counted).toEqual(effects);
    expect(Math.min(effects.stopSelling, effects.stagedPricesDropped)).toBeGreaterThan(0);
  },
);

test('refuses a switch that moves another number than the operator has seen (D176)', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const { payload } = await put(parties, toPercentage, dryRun);
  const { offersMovedToRepricing: moved } = payload ?? {};
  const record = await recordOf(gateway, vendorId);
  const seen = { ...toPercentage, expectedMoved: Number(moved) - 1 };
  expect(await put(parties, seen)).toMatchObject(
    refusal('CONFLICT_VERSION', {
      expectedMoved: seen.expectedMoved,
      offersMovedToRepricing: moved,
    }),
  );
  expect(await recordOf(gateway, vendorId)).toEqual(record);
  expect(await put(parties, { ...toPercentage, expectedMoved: moved })).toMatchObject({
    status: 200,
    payload: { offersMovedToRepricing: moved },
  });
  expect(await put(parties, { ...toPercentage, expectedMoved: moved })).toMatchObject(
    refusal('CONFLICT_VERSION', { offersMovedToRepricing: 0 }),
  );
});

test('counts nothing in a dry run of another percentage', async ({ set }) => {
  const { payload } = await put(set.parties, agreementBody('CostPlusMargin', 33), dryRun);
  expect(payload).toMatchObject({
    offersMovedToRepricing: 0,
    dryRun: { moved: { Approved: 0, PendingReview: 0 }, stopSelling: 0, stagedPricesDropped: 0 },
  });
});

test('returns 404 for a dry run of an unknown vendor', async ({ parties }) => {
  const vendorId = unknownId();
  expect(await put(parties, toPercentage, { ...dryRun, vendorId })).toMatchObject(
    refusal('NOT_FOUND_VENDOR'),
  );
});
