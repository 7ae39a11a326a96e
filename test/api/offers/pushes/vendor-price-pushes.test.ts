import { expect } from 'vitest';
import { type OfferStatus } from '../../../../domain/offers/offer.ts';
import { newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { pushes, send, priceForm } from './vendor-price-pushes-fixture.ts';
import { rowOf, messagesTo } from '../offer-record.ts';

test.for(pushes)(
  '$name answers the nested form, in which nothing but the price has changed',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const declared = { ...push.declared, vendorSku: 'S', rawSizeMl: 5, declaredStockQuantity: 7 };
    const id = await fixture.offerIn('Approved', { declared });
    const before = (await fixture.read(id)).payload;
    const answer = await send(fixture, push, id, push.body(230, true));
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({
      ...before,
      [push.at]: priceForm(push, 100, 15, [200, 30]),
    });
    expect((await fixture.read(id)).payload).toStrictEqual(answer.payload);
  },
);

const neverApproved: readonly OfferStatus[] = [
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Withdrawn',
];

test.for(
  pushes.flatMap((push) => neverApproved.map((status) => [push.name, status, push] as const)),
)(
  '%s sets the price of a %s offer at once, as it was never yet approved',
  async ([_name, status, push], { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn(status, { barcode: null, declared: push.declared });
    const answer = await send(fixture, push, id, push.body(1000, true));
    expect(answer.payload).toMatchObject({
      status,
      [push.at]: priceForm(push, 869.57, 130.43, null, true),
    });
  },
);

test.for(pushes)(
  '$name stages the price of an Approved offer, which sells at the old one until it is applied',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { barcode: null, declared: push.declared });
    const [supply, messages] = [await supplyOf(gateway, id), await messagesTo(gateway.sql, id)];
    const answer = await send(fixture, push, id, push.body(200));
    const staged = { status: 'Approved', [push.at]: priceForm(push, 100, 15, [200, 30]) };
    expect(answer.payload).toMatchObject(staged);
    expect(await supplyOf(gateway, id)).toEqual(supply);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: expect.any(Date) });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + 1);

    await fixture.decide(id, 'pending-price/apply');
    expect((await fixture.read(id)).payload).toMatchObject({ [push.at]: priceForm(push, 200, 30) });
    expect(await supplyOf(gateway, id)).toMatchObject({ net: 20_000 });
    await send(fixture, push, id, push.body(300));
    await fixture.decide(id, 'pending-price/discard');
    expect((await fixture.read(id)).payload).toMatchObject({ [push.at]: priceForm(push, 200, 30) });
  },
);

test.for(pushes)(
  '$name overwrites what is staged; an identical one changes nothing, however often it is sent',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { declared: push.declared });
    await send(fixture, push, id, push.body(200));
    const second = await send(fixture, push, id, push.body(300));
    expect(second.payload).toMatchObject({ [push.at]: priceForm(push, 100, 15, [300, 45]) });
    const before = await recordOf(gateway, id);
    const again = await Promise.all(
      Array.from({ length: 10 }, () => send(fixture, push, id, push.body(300))),
    );
    expect(new Set(again.map(({ text }) => text))).toEqual(new Set([second.text]));
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(pushes)(
  'the live value by $name discards the staged price and ends the wait for a reviewer',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { declared: push.declared });
    await send(fixture, push, id, push.body(200));
    const messages = await messagesTo(gateway.sql, id);
    const answer = await send(fixture, push, id, push.body(100));
    expect(answer.payload).toMatchObject({
      status: 'Approved',
      [push.at]: priceForm(push, 100, 15),
    });
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: null, version: 4 });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + 1);
    const before = await recordOf(gateway, id);
    await send(fixture, push, id, push.body(100));
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(pushes)(
  '$name stages for an offer once approved, in each later status',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const staged = priceForm(push, 100, 15, [200, 30]);
    const inReview = await fixture.offerIn('Approved', { declared: push.declared });
    await fixture.patch(inReview, { vendorSku: 'S' });
    const suspended = await fixture.offerIn('Suspended', { declared: push.declared });
    const withdrawn = await fixture.offerIn('Approved', { declared: push.declared });
    await fixture.send('POST', `/${withdrawn}/withdraw`);
    const rejected = await fixture.offerIn('Approved', { declared: push.declared });
    await fixture.patch(rejected, { vendorSku: 'S' });
    await fixture.decide(rejected, 'reject', { reason: 'No.' });
    const steps = [
      [inReview, 'PendingReview'],
      [suspended, 'Suspended'],
      [withdrawn, 'Withdrawn'],
      [rejected, 'PendingReview'],
    ] as const;
    for (const [id, status] of steps) {
      const answer = await send(fixture, push, id, push.body(200));
      expect(answer.payload).toMatchObject({ status, [push.at]: staged });
    }
    await fixture.decide(suspended, 'reinstate', { reason: 'Go on.' });
    expect(await rowOf(gateway.sql, suspended)).toMatchObject({
      status: 'Approved',
      awaitingSince: expect.any(Date),
    });
    await fixture.decide(inReview, 'approve');
    expect((await fixture.read(inReview)).payload).toMatchObject({
      [push.at]: priceForm(push, 200, 30),
    });
  },
);
