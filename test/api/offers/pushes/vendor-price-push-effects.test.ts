import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, otherModel, recordOf, supplyOf } from '../offer-fixture.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { pushes, send, priceForm } from './vendor-price-pushes-fixture.ts';

const wrongPrice = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';

const camel = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

test.for(pushes)(
  '$name resubmits a Rejected offer: to its reviewer, or to be matched',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    for (const [isMatched, status] of [
      [true, 'PendingReview'],
      [false, 'PendingMatch'],
    ] as const) {
      const id = await fixture.offerIn('Rejected', { isMatched, declared: push.declared });
      const answer = await send(fixture, push, id, push.body(200));
      expect(answer.payload).toMatchObject({ status, [push.at]: priceForm(push, 200, 30) });
    }
  },
);

test.for(pushes)(
  '$name brings a PendingRepricing offer back to review, also with the value that is stored',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, otherModel(push.agreement));
    // The cost is known from the creation, and 100; the sale price is not.
    const id = await fixture.offerIn('PendingRepricing');
    const answer = await send(fixture, push, id, push.body(100));
    expect(answer.payload).toMatchObject({ status: 'PendingReview' });
    expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true });
    await fixture.decide(id, 'approve');
    expect((await fixture.read(id)).payload).toMatchObject({
      status: 'Approved',
      [push.at]: priceForm(push, 100, 15),
    });
    expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: false, net: 10_000 });
  },
);

test.for(pushes)(
  '$name without a barcode is refused, changing nothing, where it would resubmit, and only there',
  async (push, { gateway }) => {
    const own = await newOfferFixture(gateway, push.agreement);
    const other = await newOfferFixture(gateway, otherModel(push.agreement));
    const rejected = await own.offerIn('Rejected', { barcode: null, declared: push.declared });
    const repriced = await other.offerIn('PendingRepricing', { barcode: null });
    const steps = [
      [own, rejected, 200],
      [other, repriced, 200],
      [other, repriced, 100],
    ] as const;
    for (const [fixture, id, amount] of steps) {
      const before = await recordOf(gateway, id);
      const answer = await send(fixture, push, id, push.body(amount));
      expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
      expect(answer.details['errors']).toMatchObject([{ field: 'Barcode', path: '/barcode' }]);
      expect(await recordOf(gateway, id)).toBe(before);
    }
    const others = offerStatuses.filter(
      (status) => !['Rejected', 'PendingRepricing'].includes(status),
    );
    for (const status of others) {
      const id = await own.offerIn(status, { barcode: null, declared: push.declared });
      expect((await send(own, push, id, push.body(200))).payload).toMatchObject({ status });
    }
  },
);

test.for(pushes)(
  'the stored value by $name is no edit: a Rejected offer stays Rejected',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Rejected', { barcode: null, declared: push.declared });
    const before = await recordOf(gateway, id);
    expect((await send(fixture, push, id, push.body(100))).payload).toMatchObject({
      status: 'Rejected',
    });
    expect((await send(fixture, push, id, push.body(115, true))).payload).toMatchObject({
      status: 'Rejected',
    });
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(pushes)(
  '$name of the net that was entered gross changes nothing, not even how it was entered',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.create({ declared: { ...push.declared, ...push.body(1000, true) } });
    const before = await recordOf(gateway, id);
    const answer = await send(fixture, push, id, push.body(869.57));
    expect(answer.payload).toMatchObject({
      [push.at]: priceForm(push, 869.57, 130.43, null, true),
    });
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(pushes)(
  "$name is 422 under the other model, whatever the offer's status",
  async (push, { gateway }) => {
    for (const status of offerStatuses) {
      const agreement = status === 'PendingRepricing' ? push.agreement : otherModel(push.agreement);
      const fixture = await newOfferFixture(gateway, agreement);
      const id = await fixture.offerIn(status, { barcode: null });
      const before = await recordOf(gateway, id);
      for (const amount of [100, 5]) {
        const answer = await send(fixture, push, id, push.body(amount));
        expect(answer, status).toMatchObject(refusal(wrongPrice, { field: push.fields[0] }));
      }
      expect(await recordOf(gateway, id)).toBe(before);
    }
  },
);

test.for(pushes)(
  "$name works on any of the vendor's own offers, entered by hand or imported",
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const url = `/operator/v1/vendors/${fixture.vendor.vendorId}/offers`;
    const body = { ...freeFormOffer, barcode: barcodes.first };
    const manual = textOf(
      await call(gateway, 'POST', url, { token: fixture.operator.token, body }),
      'id',
    );
    const imported = await fixture.create();
    await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
    for (const id of [manual, imported, imported.toUpperCase()]) {
      const answer = await send(fixture, push, id, push.body(50));
      expect(answer.payload).toMatchObject({ id: id.toLowerCase(), [push.at]: { amount: 50 } });
    }
  },
);

test.for(pushes)(
  "$name to another vendor's offer, an unknown one or no uuid is the same 404, in any model",
  async (push, { gateway }) => {
    const owner = await newOfferFixture(gateway, push.agreement);
    const id = await owner.create({ declared: push.declared });
    const before = await recordOf(gateway, id);
    for (const otherVendor of [
      await newOfferFixture(gateway, push.agreement),
      await newOfferFixture(gateway, otherModel(push.agreement)),
    ]) {
      for (const given of [id, unknownId(), '1', `${id}x`, '%00', 'x'.repeat(300)]) {
        const answer = await send(otherVendor, push, given, push.body(5));
        expect(answer).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
      }
    }
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(pushes)(
  '$name asks for a decimal and its flag, refuses anything else, and changes nothing',
  async (push, { gateway }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { declared: push.declared });
    const before = await recordOf(gateway, id);
    const [amount, flag] = push.fields;
    const good = push.body(5);
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, [`${amount} required`, `${flag} required`]],
      [{ ...good, [camel(amount)]: undefined }, [`${amount} required`]],
      [{ ...good, [camel(flag)]: undefined }, [`${flag} required`]],
      [push.body(null), [`${amount} invalid_type`]],
      [push.body(5, null), [`${flag} invalid_type`]],
      [push.body(5, 'false'), [`${flag} invalid_type`]],
      [push.body(5, 0), [`${flag} invalid_type`]],
      [push.body('5'), [`${amount} invalid_type`]],
      [push.body('5', 'x'), [`${amount} invalid_type`, `${flag} invalid_type`]],
      [push.body(0), [`${amount} invalid_amount`]],
      [push.body(-5), [`${amount} invalid_amount`]],
      [push.body(1.005), [`${amount} invalid_amount`]],
      [push.body(10_000_000), [`${amount} invalid_amount`]],
      [{ ...good, enteredVatInclusive: true }, ['EnteredVatInclusive unknown_field']],
      [{ ...good, vendorSku: 'S' }, ['VendorSku unknown_field']],
      [{ ...good, declaredInStock: true }, ['DeclaredInStock unknown_field']],
      [{ ...good, barcode: barcodes.first }, ['Barcode unknown_field']],
      [[], ['Body invalid_type']],
      ['{', ['Body malformed']],
    ];
    for (const [body, errors] of cases) {
      const answer = await send(fixture, push, id, body);
      expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
      expect(fieldErrorsOf(answer)).toEqual(errors);
    }
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for([
  [0.01, true, 0.01, 0],
  [1000, true, 869.57, 130.43],
  [8.16, false, 8.16, 1.22],
  [1.15, true, 1, 0.15],
  [9_999_999.99, true, 8_695_652.17, 1_304_347.82],
  [9_999_999.99, false, 9_999_999.99, 1_500_000],
] as const)(
  '%s, gross %s, is %s net and %s VAT, on both routes',
  async ([amount, isGross, net, vat], { gateway }) => {
    for (const push of pushes) {
      const fixture = await newOfferFixture(gateway, push.agreement);
      const id = await fixture.offerIn('Approved', { declared: push.declared });
      const answer = await send(fixture, push, id, push.body(amount, isGross));
      expect(answer.payload).toMatchObject({ [push.at]: priceForm(push, 100, 15, [net, vat]) });
    }
  },
);

test('a cost under Model 2 before any sale price is 422 too, and the offer shows no price', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const answer = await fixture.send('POST', '', freeFormOffer);
  const id = textOf(answer, 'id');
  expect((await fixture.read(id)).payload).toMatchObject({ price: { amount: null, vat: null } });
  const refused = await fixture.send('PATCH', `/${id}/cost`, { cost: 5, costIsVatInclusive: true });
  expect(refused).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
});
