import { describe, expect } from 'vitest';
import { pricingModels, type PricingModel } from '../../../../domain/accounts/agreement.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer } from '../../support/actors.ts';
import { itemsOf, type Answer, type Gateway } from '../../support/api.ts';
import { succeeded } from '../../offers/offer-record.ts';
import {
  changeAgreement,
  followAll,
  followOnce,
  movedKinds,
  newFleet,
  offerKinds,
  otherModel,
  statusAfterSwitch,
  type Fleet,
  type OfferKind,
} from './offer-fleet.ts';
import { gatewayTest as test } from '../../../support/gateway-test.ts';
// No worker runs here: what is read right after a switch is read while nothing of it is stored.

type Payload = NonNullable<Answer['payload']>;
const payloadOf = (answer: Answer): Payload => succeeded(answer).payload ?? {};

const byOperator = async ({ cast }: Fleet, path: string) =>
  payloadOf(await cast.by('Reviewer', 'GET', `/offers${path}`));
const byVendor = async ({ cast }: Fleet, path: string) =>
  payloadOf(await cast.byVendor('GET', path));
/** The flat form: create-offer answers it for a key that exists. */
const flat = async ({ cast }: Fleet, kind: OfferKind) =>
  payloadOf(await cast.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: kind }));

const storedOf = (gateway: Gateway, { vendorId }: Fleet) =>
  gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
const instant = () => new Date().toISOString();
const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

/** A fleet just after its switch, and when that was asked for. */
async function switchedFleet(gateway: Gateway, from: PricingModel) {
  const fleet = await newFleet(gateway, from);
  await pause();
  const since = instant();
  const answer = succeeded(await changeAgreement(fleet.cast, otherModel[from]));
  return { fleet, since, answer };
}

const readEach = async (paths: readonly string[], read: (path: string) => Promise<Payload>) =>
  Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await read(path)] as const)),
  );

/** Everything that anyone can read of a fleet; `supply.updatedAt` is looked at by a test of its own. */
async function everyReadOf(fleet: Fleet, since: string) {
  const lists = [
    '',
    `changedSince=${since}`,
    'include=history&pageSize=100',
    'pageSize=4&page=2',
    `changedSince=${since}&pageSize=4&page=2`,
    ...offerStatuses.map((status) => `status=${status}`),
    ...offerStatuses.map((status) => `status=${status}&changedSince=${since}&pageSize=2`),
  ];
  const own = `?vendorId=${fleet.vendorId}`;
  const queues = [
    own,
    `${own}&pageSize=4&page=2`,
    `${own}&awaitingDecision=true`,
    `${own}&awaitingDecision=false`,
    ...offerStatuses.flatMap((status) => [
      `${own}&status=${status}`,
      `${own}&status=${status}&awaitingDecision=true`,
    ]),
  ];
  const { idOf } = fleet;
  const offers = await Promise.all(
    offerKinds.map(async (kind) => {
      const { supply, ...rest } = await byOperator(fleet, `/${idOf[kind]}`);
      const option = supply === null ? null : { ...(supply as Payload), updatedAt: null };
      const [nested, flatForm] = [
        await byVendor(fleet, `/${idOf[kind]}?include=history`),
        await flat(fleet, kind),
      ];
      return [kind, { operator: { ...rest, supply: option }, nested, flatForm }] as const;
    }),
  );
  return {
    offers: Object.fromEntries(offers),
    lists: await readEach(lists, (query) => byVendor(fleet, `?${query}`)),
    queues: await readEach(queues, (query) => byOperator(fleet, query)),
  };
}

const idsOf = (payload: Payload) =>
  itemsOf({ payload } as Answer)
    .map(({ id }) => String(id))
    .toSorted();
const totalOf = (payload: Payload) => (payload['pagination'] as Payload)['totalCount'];
const expectedIds = (fleet: Fleet, isWanted: (kind: OfferKind) => boolean) =>
  offerKinds
    .filter(isWanted)
    .map((kind) => fleet.idOf[kind])
    .toSorted();

describe.each(pricingModels)('switched from %s', (from) => {
  const to = otherModel[from];

  test('every offer is under the new model at once: its status, staged price, supply and queue', async ({
    gateway,
  }) => {
    const { fleet, answer } = await switchedFleet(gateway, from);
    const stored = await storedOf(gateway, fleet);
    expect(answer.payload).toMatchObject({ offersMovedToRepricing: movedKinds.length });
    for (const kind of offerKinds) {
      const status = statusAfterSwitch[kind];
      const offer = await byOperator(fleet, `/${fleet.idOf[kind]}`);
      expect.soft(offer, kind).toMatchObject({
        status,
        pricingModel: { name: to },
        cost: { pending: null },
        price: { pending: null },
        awaitingDecision: status === 'PendingMatch',
      });
      const isPaused = offer['supply'] === null ? null : (offer['supply'] as Payload)['isPaused'];
      expect.soft(isPaused, kind).toBe(offer['supply'] === null ? null : true);
      expect.soft(await flat(fleet, kind), kind).toMatchObject({
        status,
        pendingCost: null,
        pendingInputVatAmount: null,
        syncPaused: offer['supply'] !== null,
      });
    }
    expect(await storedOf(gateway, fleet)).toEqual(stored);
  });

  test('the lists, their totals and the queue filter by what each offer has become, while nothing is stored', async ({
    gateway,
  }) => {
    const { fleet } = await switchedFleet(gateway, from);
    for (const status of offerStatuses) {
      const wanted = expectedIds(fleet, (kind) => statusAfterSwitch[kind] === status);
      const list = await byVendor(fleet, `?status=${status}`);
      expect.soft(idsOf(list), status).toEqual(wanted);
      expect.soft(totalOf(list), status).toBe(wanted.length);
      const queue = await byOperator(fleet, `?vendorId=${fleet.vendorId}&status=${status}`);
      expect.soft(idsOf(queue), status).toEqual(wanted);
      expect.soft(totalOf(queue), status).toBe(wanted.length);
    }
    const waiting = await byOperator(fleet, `?vendorId=${fleet.vendorId}&awaitingDecision=true`);
    expect(idsOf(waiting)).toEqual([fleet.idOf.unmatched]);
    const others = await byOperator(fleet, `?vendorId=${fleet.vendorId}&awaitingDecision=false`);
    expect(totalOf(others)).toBe(offerKinds.length - 1);
  });

  test('the history has the switch, and only for those that it moves', async ({ gateway }) => {
    const { fleet } = await switchedFleet(gateway, from);
    const list = await byVendor(fleet, '?include=history&pageSize=100');
    const histories = new Map(
      itemsOf({ payload: list } as Answer).map(({ id, history }) => [id, history]),
    );
    for (const kind of offerKinds) {
      const history = histories.get(fleet.idOf[kind]) as readonly Payload[];
      expect
        .soft((await byVendor(fleet, `/${fleet.idOf[kind]}?include=history`))['history'])
        .toEqual(history);
      const last = history.at(-1);
      expect.soft(last?.['to'], kind).toBe(statusAfterSwitch[kind]);
      if (movedKinds.includes(kind)) {
        const { changedAt } = await byOperator(fleet, `/${fleet.idOf[kind]}`);
        const was = kind.startsWith('approved') ? 'Approved' : 'PendingReview';
        const change = { at: changedAt, from: was, to: 'PendingRepricing', reason: null };
        expect.soft(last, kind).toEqual(change);
        expect
          .soft(
            history.filter(({ to }) => to === 'PendingRepricing'),
            kind,
          )
          .toHaveLength(1);
      }
    }
  });

  test('every offer has changed by the switch: it is listed since then, and its version is the next', async ({
    gateway,
  }) => {
    const fleet = await newFleet(gateway, from);
    const versions = new Map(
      await Promise.all(
        offerKinds.map(
          async (kind) =>
            [kind, (await byOperator(fleet, `/${fleet.idOf[kind]}`))['version']] as const,
        ),
      ),
    );
    await pause();
    const since = instant();
    succeeded(await changeAgreement(fleet.cast, to));
    const changed = await byVendor(fleet, `?changedSince=${since}&pageSize=100`);
    expect(idsOf(changed)).toEqual(expectedIds(fleet, () => true));
    for (const kind of offerKinds) {
      const { version } = await byOperator(fleet, `/${fleet.idOf[kind]}`);
      expect.soft(version, kind).toBe(Number(versions.get(kind)) + 1);
    }
  });

  test('nobody can tell whether the switch is stored: every read answers the same before, between and after', async ({
    gateway,
  }) => {
    const { fleet, since } = await switchedFleet(gateway, from);
    const before = await everyReadOf(fleet, since);
    for (;;) {
      const { isSettled } = await followOnce(gateway.sql, fleet.vendorId, 4);
      expect(await everyReadOf(fleet, since)).toEqual(before);
      if (isSettled) break;
    }
    const stored = await storedOf(gateway, fleet);
    expect(stored.map(({ status }) => String(status)).toSorted()).toEqual(
      Object.values(statusAfterSwitch).toSorted(),
    );
    expect(new Set(stored.map(({ pricingModel }) => String(pricingModel)))).toEqual(new Set([to]));
  });

  test('the supply option tells the same time of its change, stored or not', async ({
    gateway,
  }) => {
    const { fleet } = await switchedFleet(gateway, from);
    const times = () =>
      Promise.all(
        offerKinds.map(async (kind) => {
          const { supply } = await byOperator(fleet, `/${fleet.idOf[kind]}`);
          return [kind, supply === null ? null : (supply as Payload)['updatedAt']];
        }),
      );
    const before = await times();
    await followAll(gateway.sql, fleet.vendorId);
    expect(await times()).toEqual(before);
  });

  test('a second switch before the first is stored: every offer stands as if both had been', async ({
    gateway,
  }) => {
    const [one, two] = [await newFleet(gateway, from), await newFleet(gateway, from)];
    succeeded(await changeAgreement(one.cast, to));
    await followAll(gateway.sql, one.vendorId);
    await pause();
    const since = instant();
    const first = succeeded(await changeAgreement(one.cast, from));
    await followAll(gateway.sql, one.vendorId);

    succeeded(await changeAgreement(two.cast, to));
    await pause();
    const second = succeeded(await changeAgreement(two.cast, from));
    expect(first.payload).toMatchObject({ offersMovedToRepricing: 0 });
    expect(second.payload).toMatchObject({ offersMovedToRepricing: 0 });
    const before = await everyReadOf(two, since);
    const batches = await followAll(gateway.sql, two.vendorId);
    expect(await everyReadOf(two, since)).toEqual(before);
    expect(batches.reduce((sum, { offers }) => sum + offers, 0)).toBe(offerKinds.length);
    for (const kind of offerKinds) {
      const [expected, found] = [
        await byOperator(one, `/${one.idOf[kind]}`),
        await byOperator(two, `/${two.idOf[kind]}`),
      ];
      const { status, pricingModel, cost, price, awaitingDecision } = expected;
      expect
        .soft(found, kind)
        .toMatchObject({ status, pricingModel, cost, price, awaitingDecision });
    }
  });

  test('each switch is a change of its own: the version rises with each, stored or not', async ({
    gateway,
  }) => {
    const fleet = await newFleet(gateway, from);
    const versions = async () =>
      Object.fromEntries(
        await Promise.all(
          offerKinds.map(
            async (kind) =>
              [kind, (await byOperator(fleet, `/${fleet.idOf[kind]}`))['version']] as const,
          ),
        ),
      ) as Record<string, number>;
    const initial = await versions();
    const plus = (count: number) =>
      Object.fromEntries(Object.entries(initial).map(([kind, version]) => [kind, version + count]));
    succeeded(await changeAgreement(fleet.cast, to));
    expect(await versions()).toEqual(plus(1));
    succeeded(await changeAgreement(fleet.cast, from));
    expect(await versions()).toEqual(plus(2));
  });

  test('the history keeps the first switch when a second follows before it is stored', async ({
    gateway,
  }) => {
    const fleet = await newFleet(gateway, from);
    const history = async () =>
      (await byVendor(fleet, `/${fleet.idOf.approved}?include=history`))['history'];
    succeeded(await changeAgreement(fleet.cast, to));
    const before = await history();
    await pause();
    succeeded(await changeAgreement(fleet.cast, from));
    expect(await history()).toEqual(before);
  });
});
