import * as v from 'valibot';
import { expect, test } from 'vitest';
import { salePriceItem } from '../../../api/offers/bulk/bulk-body.ts';
import { createOfferBody } from '../../../api/offers/create-offer-body.ts';
import { updateOfferBody } from '../../../api/offers/update-offer-body.ts';
import { fieldErrors } from '../../../api/validation/field-errors.ts';

const names = { rawBrandName: 'B', rawProductName: 'P' };
const meaning = '(false: net, true: with VAT)';

test.each<[string, v.GenericSchema, object, string]>([
  ['missing', createOfferBody, { ...names, cost: 1 }, `is required ${meaning}`],
  [
    'of another type',
    createOfferBody,
    { ...names, cost: 1, costIsVatInclusive: 'no' },
    `must be of type boolean ${meaning}`,
  ],
  [
    'missing beside its price',
    updateOfferBody,
    { salePrice: 1 },
    `is required when salePrice is present ${meaning}`,
  ],
  [
    'missing in an item',
    salePriceItem,
    { vendorExternalId: 'x', salePrice: 1 },
    `is required ${meaning}`,
  ],
])('the message says what a VAT flag means: %s', (_when, schema, body, message) => {
  const { issues = [] } = v.safeParse(schema, body);
  expect(fieldErrors(schema, body, issues)).toMatchObject([
    { field: expect.stringMatching(/IsVatInclusive$/), message },
  ]);
});

test('a VAT flag that clashes with another field is not explained', () => {
  const body = { cost: 1, costIsVatInclusive: true, declaredInStock: true };
  const withFlag = { ...body, salePriceIsVatInclusive: true };
  const { issues = [] } = v.safeParse(updateOfferBody, withFlag);
  expect(fieldErrors(updateOfferBody, withFlag, issues)).toMatchObject([
    { message: 'must not be sent together with declared stock' },
  ]);
});
