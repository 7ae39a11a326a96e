import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createOfferBody, declarationOf } from '../../../api/offers/create-offer-body.ts';
import {
  isInvalidOlderForm,
  offerEditOf,
  updateOfferBody,
} from '../../../api/offers/update-offer-body.ts';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';
import { declaration } from '../../domain/offers/offer-builders.ts';

// The bodies of create-offer and update-offer. The forms of the fields have their cases in
// `validation/fields.test.ts`, and `validation/rule-schemas.test.ts` compares the published schemas
// with these bodies.

const codesOf = (schema: v.GenericSchema, body: unknown): readonly string[] =>
  bodyErrors(schema, body)
    .map(({ path, code }) => `${path} ${code}`)
    .toSorted();
function parsed<TSchema extends v.GenericSchema>(schema: TSchema, body: object) {
  const { output, errors } = parseBody(schema, body);
  if (output === null) throw new Error(`refused: ${JSON.stringify(errors)}`);
  return output;
}

const declarationIn = (body: object) => declarationOf(parsed(createOfferBody, body));
const editOf = (body: object) => offerEditOf(parsed(updateOfferBody, body));

const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const barcode = '4006381333931';
const cost = { cost: 5, costIsVatInclusive: false };
const sale = { salePrice: 5, salePriceIsVatInclusive: true };
const stock = { declaredInStock: true };
const least = { ...cost, rawBrandName: 'Brand', rawProductName: 'Product' };
const details = {
  vendorSku: ' S ',
  vendorExternalId: 'K',
  rawBrandName: 'B',
  rawProductName: 'P',
  rawConcentration: 'C',
  rawDescription: 'D',
};

test.each([
  [{ vendorSku: 'x'.repeat(101) }, ['/vendorSku too_long']],
  [{ vendorExternalId: 'x'.repeat(256) }, ['/vendorExternalId too_long']],
  [{ rawBrandName: 'x'.repeat(256) }, ['/rawBrandName too_long']],
  [{ rawProductName: 'x'.repeat(256) }, ['/rawProductName too_long']],
  [{ rawConcentration: 'x'.repeat(101) }, ['/rawConcentration too_long']],
  [{ rawDescription: 'x'.repeat(4001) }, ['/rawDescription too_long']],
  [{ rawSizeMl: 0 }, ['/rawSizeMl too_small']],
  [{ barcode: 'x' }, ['/barcode invalid_barcode']],
  [{ cost: -1 }, ['/cost invalid_amount']],
  [{ costIsVatInclusive: 0 }, ['/costIsVatInclusive invalid_type']],
  [{ ...sale, salePrice: 0 }, ['/salePrice invalid_amount']],
  [{ ...sale, salePriceIsVatInclusive: 1 }, ['/salePriceIsVatInclusive invalid_type']],
  [{ salePrice: 5 }, ['/salePriceIsVatInclusive required']],
  [{ ...stock, declaredStockQuantity: 0 }, ['/declaredStockQuantity stock_mismatch']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['/declaredStockQuantity stock_mismatch']],
  [{ declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  [{ declaredInStock: 'true' }, ['/declaredInStock invalid_type']],
  [{ status: 'Approved', Cost: 5 }, ['/Cost unknown_field', '/status unknown_field']],
  [
    { enteredVatInclusive: true, 'a/b': 2 },
    ['/a~1b unknown_field', '/enteredVatInclusive unknown_field'],
  ],
  [{ constructor: 1, toString: 1 }, ['/constructor unknown_field', '/toString unknown_field']],
  [
    { rawSizeMl: 0, barcode: 'x', vendorSku: 5, salePrice: 5 },
    [
      '/barcode invalid_barcode',
      '/rawSizeMl too_small',
      '/salePriceIsVatInclusive required',
      '/vendorSku invalid_type',
    ],
  ],
  // The agreement decides whether a cost may be 0 (D76).
  [{ cost: 0 }, []],
  [{ ...sale, declaredInStock: null }, []],
])('%#: judges both bodies with %j: %j', (given, errors) => {
  expect(codesOf(createOfferBody, { ...least, ...given })).toEqual(errors);
  // With declared stock, update-offer takes no sale price.
  const ofUpdate = 'declaredInStock' in given && errors.length === 0 ? sale : given;
  expect(codesOf(updateOfferBody, { ...cost, ...ofUpdate })).toEqual(errors);
});

test.each([
  [{ cost: undefined }, ['/cost required']],
  [{ cost: null }, ['/cost invalid_type']],
  [{ costIsVatInclusive: undefined }, ['/costIsVatInclusive required']],
  [{ costIsVatInclusive: null }, ['/costIsVatInclusive invalid_type']],
  [{ variantId: 'x' }, ['/variantId invalid_uuid']],
  [{ rawBrandName: undefined }, ['/rawBrandName required']],
  [{ rawBrandName: ' ', variantId: ' ' }, ['/rawBrandName required']],
  [{ rawProductName: null }, ['/rawProductName required']],
  [{ saveAsDraft: 1 }, ['/saveAsDraft invalid_type']],
  [{ variantId: id, rawBrandName: null, rawProductName: ' ' }, []],
])('%#: judges create-offer with %j: %j', (given, errors) => {
  expect(codesOf(createOfferBody, { ...least, ...given })).toEqual(errors);
});

test.each([
  [createOfferBody, '0 only under PercentageOfSale'],
  [updateOfferBody, '0 only if it is the stored cost'],
])('%#: says in the message when a cost may be 0: $1', (schema, when) => {
  const [error] = bodyErrors(schema, { ...least, cost: -1 });
  expect(error?.message).toContain(`must be above 0 (${when}), at most`);
});

const needsCost = ['/cost required', '/costIsVatInclusive required'];
const clash = 'clashes_with_stock';

test.each([
  [null, [' invalid_type']],
  [[], [' invalid_type']],
  [JSON.parse('{"__proto__":{}}'), ['/__proto__ unknown_field']],
  [
    { variantId: null, saveAsDraft: true },
    ['/saveAsDraft unknown_field', '/variantId unknown_field'],
  ],
  [{ cost: 5, costIsVatInclusive: null }, ['/costIsVatInclusive required']],
  [{}, []],
  // The older form.
  [stock, needsCost],
  [{ declaredInStock: null }, needsCost],
  [{ declaredStockQuantity: null, cost: null }, needsCost],
  [{ declaredStockQuantity: 0, cost: 5 }, ['/costIsVatInclusive required']],
  [{ ...stock, costIsVatInclusive: true }, ['/cost required']],
  [{ ...stock, barcode }, [`/barcode ${clash}`, ...needsCost]],
  [
    { ...cost, ...stock, barcode, ...sale },
    [`/barcode ${clash}`, `/salePrice ${clash}`, `/salePriceIsVatInclusive ${clash}`],
  ],
  [{ ...cost, ...stock, barcode: null, salePrice: null, salePriceIsVatInclusive: null }, []],
])('%#: judges update-offer with %j: %j', (body, errors) => {
  expect(codesOf(updateOfferBody, body)).toEqual(errors);
});

test.each([
  [{ declaredStockQuantity: 3, cost: 5 }, true],
  [{ cost: 5 }, false],
  [{ ...cost, ...stock }, false],
  [null, false],
  ['declaredInStock', false],
])('detects %j as a malformed older form: %s (D74)', (body, isInvalid) => {
  expect(isInvalidOlderForm(body)).toBe(isInvalid);
});

describe('the declaration of create-offer', () => {
  const nothing = declaration({ costHalalas: 500 });

  test('has each field that was sent', () => {
    const given = {
      ...details,
      variantId: id,
      barcode,
      costIsVatInclusive: true,
      declaredStockQuantity: 3,
      declaredInStock: true,
      rawSizeMl: 50,
      saveAsDraft: true,
    };
    expect(declarationIn({ cost: 5, ...given, ...sale, variantId: id.toUpperCase() })).toEqual({
      ...given,
      costHalalas: 500,
      salePriceHalalas: 500,
      salePriceIsVatInclusive: true,
    });
  });

  test('treats null, and a blank text, as absent', () => {
    const names = Object.keys(nothing).filter((name) => !/^(cost|rawBrand|rawProduct)/.test(name));
    const nulls = Object.fromEntries(names.map((name) => [name.replace('Halalas', ''), null]));
    const blanks = {
      variantId: '',
      vendorSku: '',
      vendorExternalId: ' \t',
      barcode: ' ',
      rawConcentration: ' ',
      rawDescription: '\u2003',
    };
    for (const given of [{}, nulls, blanks])
      expect(declarationIn({ ...least, ...given })).toEqual(nothing);
  });
});

describe('the edit of update-offer', () => {
  const nothing = { description: {}, prices: [], isOlderForm: false, stock: null };
  const all = { ...details, rawSizeMl: 7, barcode };

  test('has each field that was sent', () => {
    expect(editOf({ ...all, ...cost, ...sale })).toEqual({
      ...nothing,
      description: all,
      prices: [
        { field: 'cost', declared: { amountHalalas: 500, isVatInclusive: false } },
        { field: 'salePrice', declared: { amountHalalas: 500, isVatInclusive: true } },
      ],
    });
  });

  test.each([
    [undefined, {}],
    [null, {}],
    ['\u2003', Object.fromEntries(Object.keys(details).map((name) => [name, null]))],
  ])('treats null as absent, and clears a text that is blank: %j', (value, description) => {
    const names = Object.keys(value == null ? { ...all, ...cost, ...sale } : details);
    expect(editOf(Object.fromEntries(names.map((name) => [name, value])))).toEqual({
      ...nothing,
      description,
    });
  });

  test('ignores a VAT flag without its price (D75)', () => {
    const flags = { costIsVatInclusive: true, salePrice: null, salePriceIsVatInclusive: false };
    expect(editOf(flags)).toEqual(nothing);
  });

  test.each([
    [{ declaredInStock: null, declaredStockQuantity: null }, null],
    [{ declaredInStock: false }, { declaredInStock: false, declaredStockQuantity: null }],
    [{ declaredStockQuantity: 4 }, { declaredInStock: null, declaredStockQuantity: 4 }],
  ])('declares the stock of the older form %j as %j', (body, declared) => {
    expect(editOf({ ...cost, ...body })).toMatchObject({ isOlderForm: true, stock: declared });
  });
});
