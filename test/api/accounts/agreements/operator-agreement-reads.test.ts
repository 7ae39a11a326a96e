import { describe, expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { itemsOf, type Answer } from '../../support/api.ts';
import { succeeded } from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway-test.ts';
import {
  byOperator,
  byVendor,
  everyReadOf,
  expectedIds,
  flat,
  idsOf,
  instant,
  pause,
  storedOf,
  switchedFleet,
  totalOf,
  type Payload,
} from './agreement-reads-fixture.ts';
import {
  changeAgreement,
  followAll,
  followOnce,
  movedKinds,
  newFleet,
  offerKinds,
  otherModel,
  statusAfterSwitch,
} from './offer-fleet.ts';

describe.each(pricingModels)('switched from %s', (from) => {
  const to = otherModel[from];

  test('every offer is under the new model at once: status, staged price, supply option and queue', async ({
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

  test('the lists, their totals and the queue filter by each offer’s new status before it is stored', async ({
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

  test('the history shows the switch for the offers that it moves, and for no other', async ({
    gateway,
  }) => {
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

  test('every offer changes by the switch: changedSince lists it, and its version is the next', async ({
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

  test('every read answers the same before, while and after the switch is stored', async ({
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

  test('the supply option has the same change time before and after the switch is stored', async ({
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
});
