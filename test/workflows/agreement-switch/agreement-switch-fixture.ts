import { expect, vi } from 'vitest';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { selectOffer, toFoundOffer, type OfferRow } from '../../../db/offers/offer-row.ts';
import { findOwnOffer } from '../../../db/offers/offers.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../domain/offers/offer.ts';
import type { AgreementProgress } from '../../../workflows/offers/agreement-switch-messages.ts';
import { agreementSwitchId } from '../../../workflows/ids.ts';
import { everything } from '../../db/offers/delta-fixture.ts';
import {
  changeAgreement,
  holdOffer,
  isHeldUp,
  isSettled,
  seedManyOffers,
  type OfferKind,
} from '../../support/seeds/agreement.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { handOver } from '../../support/gateway/runs.ts';
import { recordHistory } from '../../support/history.ts';
import { pushNet, seedVariant, seedVendor } from '../../support/seeds/seed.ts';
import { restartTest, workflowTest } from '../../support/gateway/workflow-test.ts';

export const model1: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2500 };
export const model2: Agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 };
export const waiting = { timeout: 30_000, interval: 20 };

const isMoved = (status: OfferStatus): boolean =>
  status === 'Approved' || status === 'PendingReview';

/** The offer after a given number of switches: part 3 of the specification, D29 and D60. */
const switched = (offer: Offer, { pricingModel }: Agreement, changedAt: Date, times = 1) => ({
  ...offer,
  pricingModel,
  agreementEpoch: times,
  version: offer.version + times,
  pendingCost: null,
  pendingSalePrice: null,
  changedAt,
  ...(isMoved(offer.status)
    ? {
        status: 'PendingRepricing',
        awaitingSince: null,
        supply: offer.supply === null ? null : { ...offer.supply, isPaused: true },
      }
    : {}),
});

/** A vendor, its offers, and the workflow run of its switches. */
function createSwitchingVendor(gateway: TestGateway, vendorId: string, variantId: string) {
  const { sql, client } = gateway;
  const workflowId = agreementSwitchId(vendorId);
  const run = () => client.workflow.getHandle(workflowId);

  /** How many of the vendor's offers store their first switch. */
  const followers = async (): Promise<number> =>
    (await sql`select from offers where vendor_id = ${vendorId} and agreement_epoch = 1`).length;

  /**
   * The offers as stored, by id, without the count of the agreement's changes, which is the
   * vendor's.
   */
  async function storedOffers(): Promise<ReadonlyMap<string, Offer>> {
    const rows = await sql<OfferRow[]>`
      ${selectOffer(sql)} where offers.vendor_id = ${vendorId}`;
    const stored = rows.map((row) => toFoundOffer(row).stored);
    return new Map(stored.map((offer) => [offer.id, { ...offer, agreementVersion: 0 }]));
  }

  async function changedAt(): Promise<Date> {
    const [vendor] = await sql<[{ at: Date }]>`
      select agreement_changed_at as at from vendors where id = ${vendorId}`;
    return vendor.at;
  }

  /** The changes of status of each offer since its creation, oldest first. */
  async function movesOf(offers: readonly Offer[]): Promise<readonly string[][]> {
    const rows = await sql<{ offerId: string; moves: string[] }[]>`
      select offer_id, array_agg(from_status || ' to ' || to_status order by id) as moves
      from offer_status_changes where from_status is not null group by offer_id`;
    const byOffer = new Map(rows.map(({ offerId, moves }) => [offerId, moves]));
    return offers.map(({ id }) => byOffer.get(id) ?? []);
  }

  /** All store a given number of switches; the first one has moved them. */
  async function expectAllSwitched(
    offers: readonly Offer[],
    agreement: Agreement,
    times = 1,
  ): Promise<void> {
    const [stored, at] = [await storedOffers(), await changedAt()];
    expect(stored.size).toBe(offers.length);
    for (const offer of offers)
      expect(stored.get(offer.id)).toEqual(switched(offer, agreement, at, times));
    expect(await movesOf(offers)).toEqual(
      offers.map(({ status }) => (isMoved(status) ? [`${status} to PendingRepricing`] : [])),
    );
  }

  /**
   * Every read shows each offer after its switch to Model 2, whether the row stores it yet or not.
   */
  async function expectSwitchedReads(offers: readonly Offer[]): Promise<void> {
    const at = await changedAt();
    const expected = new Map<string, unknown>(
      offers.map((offer) => [offer.id, switched(offer, model2, at)]),
    );
    const statuses = offers.map(({ status }) => (isMoved(status) ? 'PendingRepricing' : status));
    for (const status of offerStatuses) {
      const total = statuses.filter((one) => one === status).length;
      const request = { page: 1 + Math.floor((total / 100) * Math.random()), pageSize: 100 };
      const filter = { ...everything, changedSince: null, status };
      const list = await listOffers(sql, vendorId, filter, request);
      expect([status, list.totalCount]).toEqual([status, total]);
      expect(list.items.filter(({ offer }) => offer.status !== status)).toEqual([]);
      // A list has fewer columns than an offer.
      for (const { offer } of list.items)
        expect(expected.get(offer.id)).toMatchObject({ ...offer, agreementVersion: 0 });
    }
    const since = { ...everything, changedSince: new Date(at.getTime() - 1).toISOString() };
    const changed = await listOffers(sql, vendorId, since, { page: 3, pageSize: 100 });
    expect([changed.totalCount, changed.items.length]).toEqual([offers.length, 100]);
    for (let index = Math.floor(Math.random() * 97); index < offers.length; index += 97) {
      const id = offers[index]?.id ?? '';
      const found = await findOwnOffer(sql, vendorId, id);
      expect(expected.get(id)).toMatchObject({ ...found?.offer, agreementVersion: 0 });
    }
  }

  const seedOffers = (counts: Partial<Record<OfferKind, number>>) =>
    seedManyOffers(sql, { vendorId, variantId }, counts);
  /** Waits until a batch waits for a locked offer, after `count` offers store the switch. */
  const untilHeldUpAfter = (count: number): Promise<void> =>
    vi.waitFor(async () => {
      expect(await isHeldUp(sql)).toBe(true);
      expect(await followers()).toBe(count);
    }, waiting);

  return {
    vendorId,
    workflowId,
    run,
    runId: async () => (await run().describe()).runId,
    followers,
    storedOffers,
    changedAt,
    movesOf,
    expectAllSwitched,
    expectSwitchedReads,
    seedOffers,
    changeAgreement: (agreement: Agreement) => changeAgreement(sql, vendorId, agreement),
    /** A switch to Model 2 whose second batch waits for the offer at `index` until its release. */
    switchHeldUp: async (counts: Partial<Record<OfferKind, number>>, index: number) => {
      const offers = await seedOffers(counts);
      const release = await holdOffer(sql, offers[index]?.id ?? '');
      await changeAgreement(sql, vendorId, model2);
      await untilHeldUpAfter(500);
      return { offers, release };
    },
    untilHeldUpAfter,
    isSettled: () => isSettled(sql, vendorId),
    /** Hands over the message of a switch, as the relay does. */
    sendMessage: () =>
      handOver(gateway, { kind: 'agreementSwitch', subjectId: vendorId, payload: {} }),
    progress: async (): Promise<AgreementProgress> => (await run().result()) as AgreementProgress,
    record: (name: string) => recordHistory(client, workflowId, `agreement-switch-${name}`),
    untilSettled: (): Promise<void> =>
      vi.waitFor(async () => expect(await isSettled(sql, vendorId)).toBe(true), waiting),
    untilOutboxIsEmpty: (): Promise<void> =>
      vi.waitFor(async () => expect(await sql`select from outbox`).toHaveLength(0), waiting),
    push: (id: string, field: 'cost' | 'salePrice', amountHalalas: number) =>
      pushNet(sql, { id, vendorId }, field, amountHalalas),
  };
}

/** Gives each test a `vendor` of its own; the file's worker runs. */
export const agreementTest = workflowTest
  .extend('variantId', { scope: 'file' }, ({ gateway }) => seedVariant(gateway.sql))
  .extend('vendor', async ({ gateway, variantId }) =>
    createSwitchingVendor(gateway, await seedVendor(gateway.sql), variantId),
  );

/** Gives each test a `gateway` whose workers it starts and stops, and a `vendor`. */
export const agreementRestartTest = restartTest.extend('vendor', async ({ gateway }) =>
  createSwitchingVendor(gateway, await seedVendor(gateway.sql), await seedVariant(gateway.sql)),
);
