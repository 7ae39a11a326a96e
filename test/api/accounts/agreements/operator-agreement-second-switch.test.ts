import { describe, expect } from 'vitest';
import { pricingModels } from '../../../../domain/accounts/agreement.ts';
import { succeeded } from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { byOperator, byVendor, everyReadOf, instant, pause } from './agreement-reads-fixture.ts';
import { changeAgreement, followAll, newOfferSet, offerKinds, otherModel } from './offer-set.ts';

describe.each(pricingModels)('switched twice from %s', (from) => {
  const to = otherModel[from];

  test('a second switch before the first is stored reads as if both were stored', async ({
    gateway,
  }) => {
    const [one, two] = [await newOfferSet(gateway, from), await newOfferSet(gateway, from)];
    succeeded(await changeAgreement(one.parties, to));
    await followAll(gateway.sql, one.vendorId);
    await pause();
    const since = instant();
    const first = succeeded(await changeAgreement(one.parties, from));
    await followAll(gateway.sql, one.vendorId);

    succeeded(await changeAgreement(two.parties, to));
    await pause();
    const second = succeeded(await changeAgreement(two.parties, from));
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

  test('the history keeps the first switch when a second follows before it is stored', async ({
    gateway,
  }) => {
    const offerSet = await newOfferSet(gateway, from);
    const history = async () =>
      (await byVendor(offerSet, `/${offerSet.idOf.approved}?include=history`))['history'];
    succeeded(await changeAgreement(offerSet.parties, to));
    const before = await history();
    await pause();
    succeeded(await changeAgreement(offerSet.parties, from));
    expect(await history()).toEqual(before);
  });
});
