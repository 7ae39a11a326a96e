import { expect } from 'vitest';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { statusesToReprice } from '../../../../domain/offers/offer-status.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { refusal, unknownId, type Gateway } from '../../../support/api/api.ts';
import { agreementBody, changeAgreement, followAll, newOfferSet, otherModel } from './offer-set.ts';

// A dry run of a switch: it stores nothing, and says what the switch then does.

const pathOf = (vendorId: string) => `/vendors/${vendorId}/agreement?dryRun=true`;

/** Everything that a switch changes. */
async function stateOf({ sql }: Gateway, vendorId: string) {
  const offers = await sql<{ id: string; status: string; isStaged: boolean; sells: boolean }[]>`
    select offers.id, status, coalesce(pending_cost_net, pending_sale_price_net) is not null
      as is_staged, coalesce(not is_paused, false) as sells
    from offers left join supply_options on offer_id = offers.id
    where offers.vendor_id = ${vendorId} order by offers.id`;
  const [rest] = await sql`
    select vendors::text as vendor,
      (select count(*)::int from audit_log where subject_id = ${vendorId}) as entries,
      (select count(*)::int from outbox where subject_id = ${vendorId}) as messages,
      (select count(*)::int from webhook_events where vendor_id = ${vendorId}) as events
    from vendors where id = ${vendorId}`;
  return { offers: [...offers], rest };
}

test.for(['CostPlusMargin', 'PercentageOfSale'] as const)(
  'a dry run from %s equals what the switch then does',
  async (from: PricingModel, { gateway }) => {
    const { parties, vendorId } = await newOfferSet(gateway, from);
    const tryOut = (body: object) => parties.by('Admin', 'PATCH', pathOf(vendorId), body);
    const before = await stateOf(gateway, vendorId);
    const { payload: tried } = await tryOut(agreementBody(otherModel[from]));
    expect(await stateOf(gateway, vendorId)).toEqual(before);
    expect(tried).toMatchObject({
      vendor: { agreement: { pricingModel: from } },
      workflow: null,
      dryRun: { moved: expect.any(Object) },
    });

    const { payload: switched } = await changeAgreement(parties, otherModel[from]);
    await followAll(gateway.sql, vendorId);
    const after = await stateOf(gateway, vendorId);
    expect(switched).toMatchObject({
      offersMovedToRepricing: tried?.['offersMovedToRepricing'],
      dryRun: null,
    });
    const pairs = before.offers.map((offer, index) => ({ offer, now: after.offers[index] }));
    const moved = pairs.filter(({ offer, now }) => offer.status !== now?.status);
    expect(moved.every(({ now }) => now?.status === 'PendingRepricing')).toBe(true);
    const ofStatus = (status: string) =>
      moved.filter(({ offer }) => offer.status === status).length;
    const { dryRun } = tried as { dryRun: Record<string, unknown> };
    expect(Object.keys(dryRun['moved'] as object)).toEqual(statusesToReprice);
    expect(dryRun).toEqual({
      moved: { Approved: ofStatus('Approved'), PendingReview: ofStatus('PendingReview') },
      stopSelling: pairs.filter(({ offer, now }) => offer.sells && now?.sells === false).length,
      stagedPricesDropped: pairs.filter(({ offer, now }) => offer.isStaged && !now?.isStaged)
        .length,
    });
    expect(dryRun['stopSelling']).toBeGreaterThan(0);
    expect(dryRun['stagedPricesDropped']).toBeGreaterThan(0);
  },
);

test('a dry run of another percentage does nothing, and an unknown vendor is 404', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const body = { pricingModel: 'CostPlusMargin', markupPercent: 33 };
  expect((await parties.by('Admin', 'PATCH', pathOf(vendorId), body)).payload).toMatchObject({
    offersMovedToRepricing: 0,
    dryRun: { moved: { Approved: 0, PendingReview: 0 }, stopSelling: 0, stagedPricesDropped: 0 },
  });
  expect(await parties.by('Admin', 'PATCH', pathOf(unknownId()), body)).toMatchObject(
    refusal('NOT_FOUND_VENDOR'),
  );
});
