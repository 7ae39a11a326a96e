import { describe, expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { itemsOf, type Answer } from '../../../support/api/api.ts';
import { succeeded } from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
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
  switchedOfferSet,
  type Payload,
} from './agreement-reads-fixture.ts';
import {
  changeAgreement,
  followAll,
  followOnce,
  movedKinds,
  newOfferSet,
  offerKinds,
  otherModel,
  statusAfterSwitch,
} from './offer-set.ts';

describe.each(pricingModels)('switched from %s', (from) => {
  const to = otherModel[from];

  test('status, staged price, supply option and queue follow the new model at once', async ({
    gateway,
  }) => {
    const { offerSet, answer } = await switchedOfferSet(gateway, from);
    const stored = await storedOf(gateway, offerSet);
    expect(answer.payload).toMatchObject({ offersMovedToRepricing: movedKinds.length });
    for (const kind of offerKinds) {
      const status = statusAfterSwitch[kind];
      const offer = await byOperator(offerSet, `/${offerSet.idOf[kind]}`);
      expect.soft(offer, kind).toMatchObject({
        status,
        pricingModel: { name: to },
        cost: { pending: null },
        price: { pending: null },
        awaitingDecision: status === 'PendingMatch',
      });
      const isPaused = offer['supply'] === null ? null : (offer['supply'] as Payload)['isPaused'];
      expect.soft(isPaused, kind).toBe(offer['supply'] === null ? null : true);
      expect.soft(await flat(offerSet, kind), kind).toMatchObject({
        status,
        pendingCost: null,
        pendingInputVatAmount: null,
        syncPaused: offer['supply'] !== null,
      });
    }
    expect(await storedOf(gateway, offerSet)).toEqual(stored);
  });

  test('the history has the switch of the offers that it moves, and of no others', async ({
    gateway,
  }) => {
    const { offerSet } = await switchedOfferSet(gateway, from);
    const list = await byVendor(offerSet, '?include=history&pageSize=100');
    const histories = new Map(
      itemsOf({ payload: list } as Answer).map(({ id, history }) => [id, history]),
    );
    for (const kind of offerKinds) {
      const history = histories.get(offerSet.idOf[kind]) as readonly Payload[];
      expect
        .soft((await byVendor(offerSet, `/${offerSet.idOf[kind]}?include=history`))['history'])
        .toEqual(history);
      const last = history.at(-1);
      expect.soft(last?.['to'], kind).toBe(statusAfterSwitch[kind]);
      if (movedKinds.includes(kind)) {
        const { changedAt } = await byOperator(offerSet, `/${offerSet.idOf[kind]}`);
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

  test('changedSince lists every offer, with its next version', async ({ gateway }) => {
    const offerSet = await newOfferSet(gateway, from);
    const versions = new Map(
      await Promise.all(
        offerKinds.map(
          async (kind) =>
            [kind, (await byOperator(offerSet, `/${offerSet.idOf[kind]}`))['version']] as const,
        ),
      ),
    );
    await pause();
    const since = instant();
    succeeded(await changeAgreement(offerSet.parties, to));
    const changed = await byVendor(offerSet, `?changedSince=${since}&pageSize=100`);
    expect(idsOf(changed)).toEqual(expectedIds(offerSet, () => true));
    for (const kind of offerKinds) {
      const { version } = await byOperator(offerSet, `/${offerSet.idOf[kind]}`);
      expect.soft(version, kind).toBe(Number(versions.get(kind)) + 1);
    }
  });

  test('every read is the same before, while and after the switch is stored', async ({
    gateway,
  }) => {
    const { offerSet, since } = await switchedOfferSet(gateway, from);
    const before = await everyReadOf(offerSet, since);
    for (;;) {
      const { isSettled } = await followOnce(gateway.sql, offerSet.vendorId, 4);
      expect(await everyReadOf(offerSet, since)).toEqual(before);
      if (isSettled) break;
    }
    const stored = await storedOf(gateway, offerSet);
    expect(stored.map(({ status }) => String(status)).toSorted()).toEqual(
      Object.values(statusAfterSwitch).toSorted(),
    );
    expect(new Set(stored.map(({ pricingModel }) => String(pricingModel)))).toEqual(new Set([to]));
  });

  test('the supply option has the same change time before and after the switch is stored', async ({
    gateway,
  }) => {
    const { offerSet } = await switchedOfferSet(gateway, from);
    const times = () =>
      Promise.all(
        offerKinds.map(async (kind) => {
          const { supply } = await byOperator(offerSet, `/${offerSet.idOf[kind]}`);
          return [kind, supply === null ? null : (supply as Payload)['updatedAt']];
        }),
      );
    const before = await times();
    await followAll(gateway.sql, offerSet.vendorId);
    expect(await times()).toEqual(before);
  });
});
