import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeOffer } from '../../../api/offers/change-offer.ts';
import { listOffers, type OfferFilter } from '../../../db/offers/offer-list.ts';
import { findOwnOffer } from '../../../db/offers/offers.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { pushPrice } from '../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../domain/offers/offer.ts';
import { createMessageHandler } from '../../../temporal/message-handler.ts';
import type { AgreementProgress } from '../../../workflows/agreement-switch-messages.ts';
import { agreementSwitchId, offerReviewId } from '../../../workflows/ids.ts';
import {
  changeAgreement,
  cutHeldUp,
  holdOffer,
  holdSupplyOption,
  isHeldUp,
  isSettled,
  seedManyOffers,
} from '../../support/agreement.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readableHistory, recordHistory, replayRun } from '../../support/history.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seed.ts';

const model1: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2500 };
const model2: Agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 };
const waiting = { timeout: 30_000, interval: 20 };
const everything: OfferFilter = {
  status: null,
  vendorSku: null,
  vendorExternalId: null,
  changedSince: null,
  createdFrom: null,
  createdTo: null,
};

let gateway: TestGateway;
let vendorId: string;
let variantId: string;

const run = () => gateway.client.workflow.getHandle(agreementSwitchId(vendorId));
const progress = async (): Promise<AgreementProgress> =>
  (await run().result()) as AgreementProgress;

/** What an operator reads of the run in the Temporal UI. */
async function details(): Promise<string> {
  const metadata = await run().query<{ readonly currentDetails?: string }>(
    '__temporal_workflow_metadata',
  );
  return metadata.currentDetails ?? '';
}

const untilSettled = (): Promise<void> =>
  vi.waitFor(async () => expect(await isSettled(gateway.sql, vendorId)).toBe(true), waiting);

const untilOutboxIsEmpty = (): Promise<void> =>
  vi.waitFor(async () => expect(await gateway.sql`select from outbox`).toHaveLength(0), waiting);

/** How many of the vendor's offers are stored as following its first switch. */
async function followers(): Promise<number> {
  const rows = await gateway.sql`
    select from offers where vendor_id = ${vendorId} and agreement_epoch = 1`;
  return rows.length;
}

/** Until a batch waits for an offer that is held; those before it are done, this many offers. */
const untilHeldUpAfter = (count: number): Promise<void> =>
  vi.waitFor(async () => {
    expect(await isHeldUp(gateway.sql)).toBe(true);
    expect(await followers()).toBe(count);
  }, waiting);

/** The vendor's offers as they are stored, by id. */
async function storedOffers(): Promise<ReadonlyMap<string, Offer>> {
  const { items } = await listOffers(gateway.sql, vendorId, everything, {
    page: 1,
    pageSize: 10_000,
  });
  return new Map(items.map(({ stored }) => [stored.id, stored]));
}

const moves = (status: OfferStatus): boolean => status === 'Approved' || status === 'PendingReview';

/** What one switch makes of an offer: the specification's part 3, D29 and D60. */
const switched = (offer: Offer, { pricingModel }: Agreement, changedAt: Date) => ({
  ...offer,
  pricingModel,
  agreementEpoch: 1,
  version: offer.version + 1,
  pendingCost: null,
  pendingSalePrice: null,
  changedAt,
  ...(moves(offer.status)
    ? {
        status: 'PendingRepricing',
        awaitingSince: null,
        supply: offer.supply === null ? null : { ...offer.supply, isPaused: true },
      }
    : {}),
});

async function changedAt(): Promise<Date> {
  const [vendor] = await gateway.sql<[{ at: Date }]>`
    select agreement_changed_at as at from vendors where id = ${vendorId}`;
  return vendor.at;
}

/** The moves of each offer since it was made, as words, oldest first. */
async function movesOf(offers: readonly Offer[]): Promise<readonly string[][]> {
  const rows = await gateway.sql<{ offerId: string; moves: string[] }[]>`
    select offer_id, array_agg(from_status || ' to ' || to_status order by id) as moves
    from offer_status_changes where from_status is not null group by offer_id`;
  const byOffer = new Map(rows.map(({ offerId, moves }) => [offerId, moves]));
  return offers.map(({ id }) => byOffer.get(id) ?? []);
}

const oneMove = ({ status }: Offer): string[] =>
  moves(status) ? [`${status} to PendingRepricing`] : [];

async function expectAllSwitchedOnce(
  offers: readonly Offer[],
  agreement: Agreement,
): Promise<void> {
  const [stored, at] = [await storedOffers(), await changedAt()];
  expect(stored.size).toBe(offers.length);
  for (const offer of offers) expect(stored.get(offer.id)).toEqual(switched(offer, agreement, at));
  expect(await movesOf(offers)).toEqual(offers.map(oneMove));
}

/** Every read must show what the switch to Model 2 makes of an offer, whether that is stored yet or not. */
async function expectReadsToBeWhole(offers: readonly Offer[]): Promise<void> {
  const at = await changedAt();
  const expected = new Map<string, unknown>(
    offers.map((offer) => [offer.id, switched(offer, model2, at)]),
  );
  const statuses = offers.map(({ status }) => (moves(status) ? 'PendingRepricing' : status));
  for (const status of offerStatuses) {
    const total = statuses.filter((one) => one === status).length;
    const request = { page: 1 + Math.floor((total / 100) * Math.random()), pageSize: 100 };
    const list = await listOffers(gateway.sql, vendorId, { ...everything, status }, request);
    expect([status, list.totalCount]).toEqual([status, total]);
    expect(list.items.filter(({ offer }) => offer.status !== status)).toEqual([]);
    for (const { offer } of list.items) expect(offer).toEqual(expected.get(offer.id));
  }
  const since = { ...everything, changedSince: new Date(at.getTime() - 1).toISOString() };
  const changed = await listOffers(gateway.sql, vendorId, since, { page: 3, pageSize: 100 });
  expect([changed.totalCount, changed.items.length]).toEqual([offers.length, 100]);
  for (let index = Math.floor(Math.random() * 97); index < offers.length; index += 97) {
    const id = offers[index]?.id ?? '';
    expect((await findOwnOffer(gateway.sql, vendorId, id))?.offer).toEqual(expected.get(id));
  }
}

const push = (offerId: string, field: 'cost' | 'salePrice', amountHalalas: number) =>
  changeOffer(gateway.sql, { vendorId, offerId }, (offer) =>
    pushPrice(
      offer,
      { field, declared: { amountHalalas, isVatInclusive: false } },
      { vatRateBasisPoints: 1500, now: new Date() },
    ),
  );

async function useGateway(): Promise<void> {
  gateway = await createTestGateway();
  variantId = await seedVariant(gateway.sql);
}

describe('a switch of the agreement', () => {
  beforeAll(async () => {
    await useGateway();
    await gateway.startWorker();
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    vendorId = await seedVendor(gateway.sql);
  });

  test('reaches each of 3,000 offers once, tells how far it is, and never shows half a switch', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      {
        approved: 2200,
        approvedWithStagedPrice: 20,
        inFirstReview: 40,
        inReviewAgain: 20,
        unmatched: 10,
        draft: 150,
        rejected: 150,
        rejectedWithStagedPrice: 60,
        withdrawn: 150,
        suspended: 100,
        repricing: 100,
      },
    );
    const letGo = await holdOffer(gateway.sql, offers[1600]?.id ?? '');

    expect(await changeAgreement(gateway.sql, vendorId, model2)).toBe(2280);
    await expectReadsToBeWhole(offers);
    await untilHeldUpAfter(1500);
    await expectReadsToBeWhole(offers);
    await vi.waitFor(
      async () =>
        expect(await details()).toBe('**1500** offers, **0** supply options. 1500 offers remain.'),
      waiting,
    );
    const description = await run().describe();
    expect(await description.staticSummary()).toBe(`Agreement of vendor ${vendorId}`);
    expect(description.searchAttributes).toMatchObject({ VendorId: [vendorId] });

    await letGo();
    do await expectReadsToBeWhole(offers);
    while (!(await isSettled(gateway.sql, vendorId)));
    expect(await progress()).toEqual({ offers: 3000, supplyOptions: 0 });
    expect(await details()).toBe(
      '**3000** offers, **0** supply options. All offers are up to date.',
    );
    await expectReadsToBeWhole(offers);
    await expectAllSwitchedOnce(offers, model2);
    const selling = await gateway.sql`
      select from supply_options where vendor_id = ${vendorId} and not is_paused`;
    expect(selling).toHaveLength(0);
    await recordHistory(gateway.client, agreementSwitchId(vendorId), 'agreement-switch-settled');
  });

  test('leaves ids and numbers in its history, and nothing of an offer', async () => {
    const [offer] = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approvedWithStagedPrice: 1 },
    );
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilSettled();
    await progress();

    const history = await readableHistory(gateway.client, agreementSwitchId(vendorId));

    expect(history).toContain(vendorId);
    for (const text of [
      offer?.id,
      'Maison Dahab',
      'Brand',
      'Product',
      '4006381333931',
      'PercentageOfSale',
    ]) {
      expect(history).not.toContain(text);
    }
  });

  test('ends the open reviews of offers that it moves to PendingRepricing, and no other', async () => {
    const matched = await seedOffer(gateway.sql, vendorId, { variantId });
    const unmatched = await seedOffer(gateway.sql, vendorId);
    const review = (offer: Offer) => gateway.client.workflow.getHandle(offerReviewId(offer.id));
    for (const offer of [matched, unmatched]) {
      await vi.waitFor(async () => {
        const { searchAttributes } = await review(offer).describe();
        expect(searchAttributes['ReviewState']).toEqual([offer.status]);
      }, waiting);
    }
    const { runId } = await review(matched).describe();

    await changeAgreement(gateway.sql, vendorId, model2);

    expect(await review(matched).result()).toBeNull();
    expect((await review(matched).describe()).runId).toBe(runId);
    await untilSettled();
    expect((await review(unmatched).describe()).status.name).toBe('RUNNING');
  });

  test('binds what a vendor and a reviewer do with an offer that has yet to follow', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approved: 700, inFirstReview: 2 },
    );
    const [held, repriced] = offers.filter(({ status }) => status === 'Approved').slice(-2);
    const reviewed = offers.findLast(({ status }) => status === 'PendingReview');
    if (held === undefined || repriced === undefined || reviewed === undefined)
      throw new Error('too few');
    const operator = await seedOperator(gateway.sql);
    const letGo = await holdOffer(gateway.sql, held.id);
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilHeldUpAfter(500);

    const refused = await push(repriced.id, 'cost', 11_000);
    const commandId = await seedCommand(gateway.sql, operator.id, reviewed.id, {
      action: 'approve',
      variantId,
      expectedVersion: null,
    });
    const decision = gateway.decisions.decideOffer(
      { offerId: reviewed.id, vendorId },
      { action: 'approve', commandId, operatorId: operator.operatorId },
    );
    await letGo();
    const accepted = await push(repriced.id, 'salePrice', 11_000);
    await untilSettled();

    expect(refused).toMatchObject({
      failure: { code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' },
    });
    expect(accepted).toMatchObject({
      value: { status: 'PendingReview', version: repriced.version + 2 },
    });
    expect(await decision).toMatchObject({
      failure: {
        code: 'BUSINESS_OFFER_INVALID_TRANSITION',
        details: { status: 'PendingRepricing', action: 'approve' },
      },
    });
    const stored = await storedOffers();
    expect(stored.get(repriced.id)).toMatchObject({
      status: 'PendingReview',
      version: repriced.version + 2,
      pendingSalePrice: { netHalalas: 11_000 },
      supply: { isPaused: true },
    });
    expect(await movesOf([repriced, reviewed])).toEqual([
      ['Approved to PendingRepricing', 'PendingRepricing to PendingReview'],
      ['PendingReview to PendingRepricing'],
    ]);
  });

  test('that another overtakes ends with every offer at the last agreement, in one run', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approved: 1200, draft: 200, suspended: 100 },
    );
    const letGo = await holdOffer(gateway.sql, offers[700]?.id ?? '');
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilHeldUpAfter(500);
    const { runId } = await run().describe();
    const first = await changedAt();

    // As they stand, all are PendingRepricing already.
    expect(await changeAgreement(gateway.sql, vendorId, model1)).toBe(0);
    await untilOutboxIsEmpty();
    await letGo();

    const done = await progress();
    expect((await run().describe()).runId).toBe(runId);
    expect(await isSettled(gateway.sql, vendorId)).toBe(true);
    // Those that had followed the first switch by then were written twice.
    expect(done.offers).toBeGreaterThanOrEqual(2000);
    expect(done.offers).toBeLessThanOrEqual(2500);
    const [stored, at] = [await storedOffers(), await changedAt()];
    for (const offer of offers) {
      const twice = { agreementEpoch: 2, version: offer.version + 2 };
      expect(stored.get(offer.id)).toEqual({ ...switched(offer, model1, at), ...twice });
    }
    const dates = await gateway.sql<{ at: Date }[]>`
      select distinct at from offer_status_changes join offers on offers.id = offer_id
      where vendor_id = ${vendorId}`;
    expect(dates).toEqual([{ at: first }]);
    expect(await movesOf(offers)).toEqual(offers.map(oneMove));
    await recordHistory(gateway.client, agreementSwitchId(vendorId), 'agreement-switch-overtaken');
  });

  test('after switch, at whatever moments, ends with every offer at the last', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approved: 600, draft: 100 },
    );
    for (let round = 0; round < 9; round += 1) {
      await changeAgreement(gateway.sql, vendorId, round % 2 === 0 ? model2 : model1);
      if (round % 3 === 2) await untilSettled();
      else if (round % 3 === 1) await untilOutboxIsEmpty();
    }

    await untilSettled();
    await progress();
    const stored = await storedOffers();
    for (const { id, status, version } of offers) {
      expect(stored.get(id)).toMatchObject({
        agreementEpoch: 9,
        version: version + 9,
        pricingModel: 'PercentageOfSale',
        status: status === 'Approved' ? 'PendingRepricing' : status,
      });
    }
    expect(await movesOf(offers)).toEqual(offers.map(oneMove));
    await replayRun(gateway.client, agreementSwitchId(vendorId));
  });

  test('that is started more than once is one run; one started when all is done changes nothing', async () => {
    const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: 700 });
    const handleMessage = createMessageHandler(gateway.client, {
      taskQueue: gateway.config.TEMPORAL_TASK_QUEUE,
      retryDelaysMs: [],
      timeoutMs: 1000,
    });
    const start = () =>
      handleMessage({ kind: 'agreementSwitch', subjectId: vendorId, payload: {} });
    const letGo = await holdOffer(gateway.sql, offers[600]?.id ?? '');
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilHeldUpAfter(500);
    const { runId } = await run().describe();

    await Promise.all([start(), start(), start(), start(), start()]);
    expect((await run().describe()).runId).toBe(runId);
    await letGo();
    expect(await progress()).toEqual({ offers: 700, supplyOptions: 0 });
    await start();
    expect(await progress()).toEqual({ offers: 0, supplyOptions: 0 });

    expect((await run().describe()).runId).not.toBe(runId);
    await expectAllSwitchedOnce(offers, model2);
  });

  test('whose batch fails half-way does that batch again, whole', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approved: 700, draft: 50 },
    );
    const letGo = await holdOffer(gateway.sql, offers[600]?.id ?? '');
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilHeldUpAfter(500);

    await cutHeldUp(gateway.sql);
    await letGo();

    expect(await progress()).toEqual({ offers: 750, supplyOptions: 0 });
    await expectAllSwitchedOnce(offers, model2);
  });
});

describe('another rate under the same model', () => {
  beforeAll(async () => {
    await useGateway();
    await gateway.startWorker();
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    vendorId = await seedVendor(gateway.sql);
  });

  test('reprices every supply option of that model, and touches no offer and no other option', async () => {
    const counts = { approved: 1000, suspended: 200, draft: 50, withdrawn: 50 };
    const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, counts);
    const before = await storedOffers();
    // Approved under the other model, long ago: its price is not this agreement's.
    const [other] = await gateway.sql<[{ offerId: string }]>`
      update supply_options set pricing_model = 'PercentageOfSale', rate_basis_points = 900, sell_net = 10000
      where id = (select min(id::text)::uuid from supply_options where vendor_id = ${vendorId} and is_paused)
      returning offer_id`;

    expect(await changeAgreement(gateway.sql, vendorId, { ...model1, rateBasisPoints: 3000 })).toBe(
      0,
    );
    await vi.waitFor(() => run().describe(), waiting);
    expect(await progress()).toEqual({ offers: 0, supplyOptions: 1249 });

    const options = await gateway.sql<{ offerId: string; sellNet: string; payoutNet: number }[]>`
      select offer_id, sell_net, payout_net from supply_options where vendor_id = ${vendorId}`;
    const prices = new Set(
      options
        .filter(({ offerId }) => offerId !== other.offerId)
        .map(({ sellNet, payoutNet }) => `${sellNet}, ${payoutNet}`),
    );
    expect(options).toHaveLength(1250);
    expect(prices).toEqual(new Set(['13000, 10000']));
    expect(options.find(({ offerId }) => offerId === other.offerId)).toMatchObject({
      sellNet: '10000',
    });
    const after = await storedOffers();
    for (const { id } of offers) {
      if (id !== other.offerId) expect(after.get(id)).toEqual(before.get(id));
    }
    expect((await movesOf(offers)).flat()).toEqual([]);
    await recordHistory(gateway.client, agreementSwitchId(vendorId), 'agreement-switch-repriced');
  });

  test('that comes while the last options get the rate before is not missed', async () => {
    const [offer] = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: 20 });
    const letGo = await holdSupplyOption(gateway.sql, offer?.id ?? '');
    await changeAgreement(gateway.sql, vendorId, { ...model1, rateBasisPoints: 3000 });
    await vi.waitFor(async () => expect(await isHeldUp(gateway.sql)).toBe(true), waiting);

    await changeAgreement(gateway.sql, vendorId, { ...model1, rateBasisPoints: 4000 });
    await untilOutboxIsEmpty();
    await letGo();

    expect(await progress()).toEqual({ offers: 0, supplyOptions: 40 });
    const prices = await gateway.sql<{ sellNet: string }[]>`
      select distinct sell_net from supply_options where vendor_id = ${vendorId}`;
    expect(prices).toEqual([{ sellNet: '14000' }]);
  });
});

describe('a switch of the agreement, when workers come and go,', () => {
  beforeEach(async () => {
    await useGateway();
    vendorId = await seedVendor(gateway.sql);
  });
  afterEach(() => gateway.stop());

  test('is in force before a worker runs, and is finished by the first that does', async () => {
    const offers = await seedManyOffers(
      gateway.sql,
      { vendorId, variantId },
      { approved: 600, draft: 50 },
    );
    await changeAgreement(gateway.sql, vendorId, model2);
    await changeAgreement(gateway.sql, vendorId, { ...model2, rateBasisPoints: 1000 });
    await expectReadsToBeWhole(offers);

    await gateway.startWorker();
    await untilSettled();

    expect(await progress()).toEqual({ offers: 650, supplyOptions: 0 });
    await expectAllSwitchedOnce(offers, model2);
  });

  test('goes on with another worker where the first has stopped, and does nothing twice', async () => {
    const counts = { approved: 1300, draft: 100, suspended: 100 };
    const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, counts);
    const first = await gateway.startWorker();
    const letGo = await holdOffer(gateway.sql, offers[700]?.id ?? '');
    await changeAgreement(gateway.sql, vendorId, model2);
    await untilHeldUpAfter(500);

    const stopping = first.stop();
    await letGo();
    await stopping;
    // The batch under way was finished; nobody begins the next.
    expect(await followers()).toBe(1000);
    expect(await isSettled(gateway.sql, vendorId)).toBe(false);
    await expectReadsToBeWhole(offers);
    await gateway.startWorker();

    expect(await progress()).toEqual({ offers: 1500, supplyOptions: 0 });
    await expectAllSwitchedOnce(offers, model2);
    await recordHistory(
      gateway.client,
      agreementSwitchId(vendorId),
      'agreement-switch-interrupted',
    );
  });

  test('begins a new history when its own has grown long, and keeps the count', async () => {
    const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: 700 });
    const handleMessage = createMessageHandler(gateway.client, {
      taskQueue: gateway.config.TEMPORAL_TASK_QUEUE,
      retryDelaysMs: [],
      timeoutMs: 1000,
    });
    await handleMessage({ kind: 'agreementSwitch', subjectId: vendorId, payload: {} });
    const { runId } = await run().describe();
    // The server suggests a new history from 4 MB on.
    for (let count = 0; count < 9; count += 1) await run().signal('changed', 'x'.repeat(500_000));
    await changeAgreement(gateway.sql, vendorId, model2);
    await gateway.startWorker();
    await untilSettled();

    const firstRun = gateway.client.workflow.getHandle(agreementSwitchId(vendorId), runId);
    expect(await firstRun.result()).toEqual({ offers: 700, supplyOptions: 0 });
    expect((await firstRun.describe()).status.name).toBe('CONTINUED_AS_NEW');
    expect(await progress()).toEqual({ offers: 700, supplyOptions: 0 });
    await expectAllSwitchedOnce(offers, model2);
  });
});
