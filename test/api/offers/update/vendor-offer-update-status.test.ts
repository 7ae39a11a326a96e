import { expect } from 'vitest';
import { type OfferStatus } from '../../../../domain/offers/offer.ts';
import { costPlus } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { wrongPrice, fields, said } from './vendor-offer-update-fixture.ts';
import { rowOf, messagesTo } from '../offer-record.ts';

const identityChanges: readonly (readonly [string, string | number])[] = [
  ...fields,
  ['barcode', barcodes.second],
];

test.for(identityChanges)(
  'changing %s of an Approved offer sends it to review, and it sells on',
  async ([name, value], { gateway }) => {
    const { offerIn, patch } = await newOfferFixture(gateway);
    const id = await offerIn('Approved', { said });
    const supply = await supplyOf(gateway, id);
    const answer = await patch(id, { [name]: value, cost: 90, costIsVatInclusive: false });
    expect(answer.payload).toMatchObject({
      status: 'PendingReview',
      cost: { amount: 100, pending: { amount: 90 } },
    });
    expect(await supplyOf(gateway, id)).toEqual(supply);
    expect(supply).toMatchObject({ isPaused: false, net: 10_000 });
  },
);

test('adding a first barcode is no identity change: an Approved offer stays Approved', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { barcode: null });
  const answer = await patch(id, { barcode: barcodes.second });
  expect(answer.payload).toMatchObject({
    status: 'Approved',
    product: { barcode: barcodes.second },
  });
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 3, awaitingSince: null });
  const other = await patch(id, { barcode: barcodes.third });
  expect(other.payload).toMatchObject({
    status: 'PendingReview',
    product: { barcode: barcodes.third },
  });
});

const unmoved: readonly OfferStatus[] = [
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Withdrawn',
  'Suspended',
];

test.for(unmoved)(
  'no edit moves a %s offer, and every edit is stored',
  async (status, { gateway }) => {
    const { offerIn, patch } = await newOfferFixture(gateway);
    const id = await offerIn(status);
    const edits = [
      { vendorSku: 'S' },
      { barcode: barcodes.second },
      { cost: 5, costIsVatInclusive: true },
    ];
    for (const edit of edits) expect((await patch(id, edit)).payload).toMatchObject({ status });
    expect(await rowOf(gateway.sql, id)).toMatchObject({
      vendorSku: 'S',
      barcode: barcodes.second,
    });
  },
);

test.for([
  [true, 'PendingReview'],
  [false, 'PendingMatch'],
] as const)(
  'every edit of a Rejected offer, match %s, resubmits it: %s',
  async ([isMatched, status], { gateway }) => {
    const { offerIn, patch, send } = await newOfferFixture(gateway);
    const edits = [
      { vendorSku: 'S' },
      { rawSizeMl: 10 },
      { barcode: barcodes.second },
      { cost: 5, costIsVatInclusive: true },
      { cost: 5, costIsVatInclusive: true, declaredInStock: true },
    ];
    for (const edit of edits) {
      const id = await offerIn('Rejected', { isMatched });
      const before = await messagesTo(gateway.sql, id);
      expect((await patch(id, edit)).payload).toMatchObject({ status });
      expect(await rowOf(gateway.sql, id)).toMatchObject({
        status,
        awaitingSince: expect.any(Date),
      });
      expect(await messagesTo(gateway.sql, id)).toHaveLength(before.length + 1);
      const history = (await send('GET', `/${id}?include=history`)).payload?.['history'];
      expect(history).toMatchObject([
        {},
        { to: 'Rejected' },
        { from: 'Rejected', to: status, reason: null },
      ]);
    }
  },
);

test.for(['{}', '{"vendorSku":"SKU-1"}', '{"cost":100,"costIsVatInclusive":false}'])(
  '%s is no edit: a Rejected offer stays Rejected, and no barcode is asked for',
  async (body, { gateway }) => {
    const { offerIn, patch } = await newOfferFixture(gateway);
    const id = await offerIn('Rejected', { barcode: null, said });
    const before = await recordOf(gateway, id);
    expect(await patch(id, body)).toMatchObject({ status: 200, payload: { status: 'Rejected' } });
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test("PendingRepricing is left by the new model's price only, also by its value unchanged", async ({
  gateway,
}) => {
  const { offerIn, patch, switchAgreement, decide } = await newOfferFixture(gateway);
  const id = await offerIn('PendingRepricing');
  const stays = { payload: { status: 'PendingRepricing' } };
  for (const edit of [{}, { vendorSku: 'S' }, { rawSizeMl: 5 }, { barcode: barcodes.second }]) {
    expect(await patch(id, edit)).toMatchObject(stays);
  }
  const before = await recordOf(gateway, id);
  const refused = await patch(id, { cost: 5, costIsVatInclusive: true });
  expect(refused).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect(await recordOf(gateway, id)).toBe(before);
  const sent = await patch(id, { salePrice: 300, salePriceIsVatInclusive: false });
  expect(sent.payload).toMatchObject({ status: 'PendingReview', pricingModel: { model: 2 } });
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true, net: 10_000 });
  await decide(id, 'approve');
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: false, net: 30_000 });

  await switchAgreement(costPlus);
  const same = await patch(id, { cost: 100, costIsVatInclusive: false });
  expect(same.payload).toMatchObject({
    status: 'PendingReview',
    cost: { amount: 100, pending: null },
  });
});
