import { expect } from 'vitest';
import type { Capability } from '../../../../domain/accounts/capabilities.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import {
  costPlus,
  freeFormOffer,
  percentageOfSale,
  tokenWith,
} from '../../../support/api/actors.ts';
import { newOfferFixture, recordOf } from '../offer-fixture.ts';
import { call, itemsOf, refusal, textOf } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newParties } from '../offer-record.ts';

test.for(offerStatuses)(
  'a %s offer has one form, alone and in the list (D144)',
  async (status, { gateway }) => {
    const agreement = offerStatuses.indexOf(status) % 2 === 0 ? costPlus : percentageOfSale;
    const fixture = await newOfferFixture(gateway, agreement);
    const id = await fixture.offerIn(status);
    const { payload } = await fixture.send('GET', `/${id.toUpperCase()}`);
    const changedAt = expect.stringMatching(/\.\d{6}Z$/);
    expect(payload).toMatchObject({ id, status, source: 'Api', changedAt });
    for (const query of ['', `?status=${status}`])
      expect(itemsOf(await fixture.send('GET', query))).toStrictEqual([payload]);
  },
);

test("an operator's offer of the same vendorExternalId differs in its source", async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { vendor } = parties;
  const offer = { ...freeFormOffer, vendorExternalId: 'k' };
  const entered = await parties.by('Admin', 'POST', `/vendors/${vendor.vendorId}/offers`, offer);
  const get = (path: string) => call(gateway, 'GET', `/api/v1/scent/offers${path}`, vendor);
  const created = await call(gateway, 'POST', '/api/v1/scent/offers', { ...vendor, body: offer });
  const expected = { [textOf(entered, 'id')]: 'Manual', [textOf(created, 'id')]: 'Api' };
  for (const query of ['', '?vendorExternalId=k', '?include=history']) {
    const sources = itemsOf(await get(query)).map(({ id, source }) => [id, source]);
    expect(Object.fromEntries(sources)).toEqual(expected);
  }
  for (const [id, source] of Object.entries(expected))
    expect((await get(`/${id}?include=history`)).payload).toMatchObject({ id, source });
});

test('reading changes nothing and does not reveal the reviewer', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Rejected');
  const before = await recordOf(gateway, id);
  for (const path of [`/${id}`, `/${id}?include=history`, '', '?include=history']) {
    const answer = await fixture.send('GET', path);
    expect(answer.text).toContain('No.');
    for (const secret of [fixture.operator.id, fixture.operator.operatorId]) {
      expect(answer.text).not.toContain(secret);
    }
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test('needs any one of Offers, Stock and Cost, of which a refusal names Offers', async ({
  gateway,
}) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const id = await create();
  for (const path of ['', `/${id}`, '?include=history']) {
    const get = (...granted: readonly Capability[]) => {
      const token = tokenWith(gateway, vendor, granted);
      return call(gateway, 'GET', `/api/v1/scent/offers${path}`, { token });
    };
    for (const capability of ['Offers', 'Stock', 'Cost'] as const)
      expect((await get(capability)).status).toBe(200);
    const details = { requiredCapability: 'Offers' };
    expect(await get('Orders', 'Account')).toMatchObject(
      refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', details),
    );
  }
});
