import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { itemsOf, succeeded, type ApiResponse } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  changeAgreement,
  followAll,
  followOnce,
  movedKinds,
  newOfferSet,
  offerKinds,
  otherModel,
  statusAfterSwitch,
  type OfferSet,
} from './offer-set.ts';

// No worker runs, so that a read right after a switch precedes every write of the switch.

type Payload = NonNullable<ApiResponse['payload']>;
const payloadOf = (response: ApiResponse): Payload => succeeded(response).payload ?? {};
/** Without who has an offer open, which the reads beside it change. */
const byOperator = async ({ parties }: OfferSet, path: string) =>
  JSON.parse(
    JSON.stringify(payloadOf(await parties.by('Reviewer', 'GET', `/offers${path}`))),
    (key, value: unknown) => (key === 'viewers' ? undefined : value),
  ) as Payload;
const byVendor = async ({ parties }: OfferSet, path: string) =>
  payloadOf(await parties.byVendor('GET', path));

/** An instant between what precedes it and what follows. */
async function instantBetween(): Promise<string> {
  await delay(5);
  return new Date().toISOString();
}

const readEach = async <K extends string, T>(keys: readonly K[], read: (key: K) => Promise<T>) =>
  Object.fromEntries(
    await Promise.all(keys.map(async (key) => [key, await read(key)] as const)),
  ) as Readonly<Record<K, T>>;

/** Every read of an offer set. */
async function everyReadOf(offerSet: OfferSet, since: string) {
  const { idOf, parties, vendorId } = offerSet;
  const lists = [
    '',
    'include=history&pageSize=100',
    'pageSize=4&page=2',
    `changedSince=${since}&pageSize=100`,
    `changedSince=${since}&pageSize=4&page=2`,
    ...offerStatuses.map((status) => `status=${status}`),
    ...offerStatuses.map((status) => `status=${status}&changedSince=${since}&pageSize=2`),
  ];
  const queues = [
    '',
    '&pageSize=4&page=2',
    '&awaitingDecision=true',
    '&awaitingDecision=false',
    ...offerStatuses.flatMap((status) => [
      `&status=${status}`,
      `&status=${status}&awaitingDecision=true`,
    ]),
  ];
  return {
    offers: await readEach(offerKinds, async (kind) => ({
      operator: await byOperator(offerSet, `/${idOf[kind]}`),
      nested: await byVendor(offerSet, `/${idOf[kind]}?include=history`),
      // The flat form, which create-offer returns for an existing key.
      flat: payloadOf(
        await parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: kind }),
      ),
    })),
    lists: await readEach(lists, (query) => byVendor(offerSet, `?${query}`)),
    queues: await readEach(queues, (query) =>
      byOperator(offerSet, `?vendorId=${vendorId}${query}`),
    ),
  };
}

const itemsIn = (payload: Payload | undefined) => itemsOf({ payload } as ApiResponse);

describe.each(pricingModels)('switched from %s', (from) => {
  const to = otherModel[from];

  test('shows the switch in every read at once, and the same while it is stored', async ({
    gateway,
  }) => {
    const offerSet = await newOfferSet(gateway, from);
    const { idOf, parties, vendorId } = offerSet;
    const storedOffers = () =>
      gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
    const earlier = await readEach(offerKinds, (kind) => byOperator(offerSet, `/${idOf[kind]}`));
    const since = await instantBetween();
    const unchanged = await storedOffers();
    expect(payloadOf(await changeAgreement(parties, to))).toMatchObject({
      offersMovedToRepricing: movedKinds.length,
    });
    const before = await everyReadOf(offerSet, since);
    expect(await storedOffers()).toEqual(unchanged);

    const changed = itemsIn(before.lists[`changedSince=${since}&pageSize=100`]);
    expect(new Set(changed.map(({ id }) => id))).toEqual(new Set(Object.values(idOf)));
    const listed = itemsIn(before.lists['include=history&pageSize=100']);
    for (const kind of offerKinds) {
      const { operator, nested, flat } = before.offers[kind];
      const status = statusAfterSwitch(kind);
      const supply = operator['supply'] === null ? null : { isPaused: true };
      expect.soft(operator, kind).toMatchObject({
        status,
        pricingModel: { name: to },
        cost: { pending: null },
        price: { pending: null },
        awaitingDecision: status === 'PendingMatch',
        version: Number(earlier[kind]['version']) + 1,
        supply,
      });
      const none = { pendingCost: null, pendingInputVatAmount: null };
      expect.soft(flat, kind).toMatchObject({ status, ...none, syncPaused: supply !== null });
      const history = nested['history'] as readonly Payload[];
      expect.soft(listed.find(({ id }) => id === idOf[kind])?.['history']).toEqual(history);
      expect.soft(history.at(-1)?.['to'], kind).toBe(status);
      const moves = history.filter((move) => move['to'] === 'PendingRepricing');
      const move = { at: operator['changedAt'], from: earlier[kind]['status'], reason: null };
      if (movedKinds.includes(kind))
        expect.soft(moves, kind).toEqual([{ ...move, to: 'PendingRepricing' }]);
    }

    for (let isSettled = false; !isSettled;) {
      ({ isSettled } = await followOnce(gateway.sql, vendorId, 8));
      expect(await everyReadOf(offerSet, since)).toEqual(before);
    }
    const stored = await storedOffers();
    expect(stored.map(({ status }) => String(status)).toSorted()).toEqual(
      offerKinds.map(statusAfterSwitch).toSorted(),
    );
    expect(new Set(stored.map(({ pricingModel }) => String(pricingModel)))).toEqual(new Set([to]));
  });

  test('shows a second switch before the first is stored as if both were stored', async ({
    gateway,
  }) => {
    const [one, two] = [await newOfferSet(gateway, from), await newOfferSet(gateway, from)];
    const historyOf = async () =>
      (await byVendor(two, `/${two.idOf.approved}?include=history`))['history'];
    succeeded(await changeAgreement(one.parties, to));
    await followAll(gateway.sql, one.vendorId);
    const since = await instantBetween();
    const first = await changeAgreement(one.parties, from);
    await followAll(gateway.sql, one.vendorId);

    succeeded(await changeAgreement(two.parties, to));
    const history = await historyOf();
    await instantBetween();
    const second = await changeAgreement(two.parties, from);
    expect(await historyOf()).toEqual(history);
    for (const response of [first, second])
      expect(payloadOf(response)).toMatchObject({ offersMovedToRepricing: 0 });
    const before = await everyReadOf(two, since);
    expect(await followAll(gateway.sql, two.vendorId)).toBe(offerKinds.length);
    expect(await everyReadOf(two, since)).toEqual(before);
    for (const kind of offerKinds) {
      const { status, pricingModel, cost, price, awaitingDecision } = await byOperator(
        one,
        `/${one.idOf[kind]}`,
      );
      const expected = { status, pricingModel, cost, price, awaitingDecision };
      expect.soft(before.offers[kind].operator, kind).toMatchObject(expected);
      expect.soft([cost, price], kind).toMatchObject([{ pending: null }, { pending: null }]);
    }
  });
});
