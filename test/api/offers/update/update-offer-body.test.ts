import { describe, expect, test } from 'vitest';
import {
  isInvalidOlderForm,
  isOlderForm,
  malformedFields,
  offerEditOf,
  updateOfferBody,
} from '../../../../api/offers/update-offer-body.ts';
import { bodyErrors, parseBody } from '../../../../api/validation/compiler.ts';

// The forms of the fields have their cases in `validation/fields.test.ts`, and the published schema
// is compared with this body in `validation/rule-schemas.test.ts`.

const codesOf = (body: unknown): readonly string[] =>
  bodyErrors(updateOfferBody, body)
    .map(({ path, code }) => `${path} ${code}`)
    .toSorted();
const cost = { cost: 5, costIsVatInclusive: false };
const stock = { declaredInStock: true };
const sale = { salePrice: 5, salePriceIsVatInclusive: true };
const barcode = '4006381333931';
const clash = 'clashes_with_stock';

test.each([
  [{ vendorSku: 'x'.repeat(101) }, ['/vendorSku too_long']],
  [{ vendorExternalId: 'x'.repeat(256) }, ['/vendorExternalId too_long']],
  [{ rawBrandName: 'x'.repeat(256) }, ['/rawBrandName too_long']],
  [{ rawProductName: 'x'.repeat(256) }, ['/rawProductName too_long']],
  [{ rawConcentration: 'x'.repeat(101) }, ['/rawConcentration too_long']],
  [{ rawDescription: 'x'.repeat(4001) }, ['/rawDescription too_long']],
  [{ rawSizeMl: 0 }, ['/rawSizeMl too_small']],
  [{ barcode: '' }, ['/barcode invalid_barcode']],
  [{ ...cost, cost: -1 }, ['/cost invalid_amount']],
  [{ ...cost, costIsVatInclusive: 0 }, ['/costIsVatInclusive invalid_type']],
  [{ ...sale, salePrice: 0 }, ['/salePrice invalid_amount']],
  [{ ...sale, salePriceIsVatInclusive: 1 }, ['/salePriceIsVatInclusive invalid_type']],
  [{ cost: 5 }, ['/costIsVatInclusive required']],
  [{ cost: 5, costIsVatInclusive: null }, ['/costIsVatInclusive required']],
  [{ salePrice: 5 }, ['/salePriceIsVatInclusive required']],
  [{ enteredVatInclusive: true }, ['/enteredVatInclusive unknown_field']],
  [{ variantId: null }, ['/variantId unknown_field']],
  [{ status: 'Approved' }, ['/status unknown_field']],
  [{ saveAsDraft: true }, ['/saveAsDraft unknown_field']],
  [{ Barcode: barcode }, ['/Barcode unknown_field']],
  [{ 'a/b': 2 }, ['/a~1b unknown_field']],
  [{ constructor: 1, toString: 1 }, ['/constructor unknown_field', '/toString unknown_field']],
  [JSON.parse('{"__proto__":{}}'), ['/__proto__ unknown_field']],
  [[], [' invalid_type']],
  [null, [' invalid_type']],
  [5, [' invalid_type']],
  [
    { cost: 5, rawSizeMl: 0, barcode: 'x', vendorSku: 5, salePrice: 5, extra: 1 },
    [
      '/barcode invalid_barcode',
      '/costIsVatInclusive required',
      '/extra unknown_field',
      '/rawSizeMl too_small',
      '/salePriceIsVatInclusive required',
      '/vendorSku invalid_type',
    ],
  ],
  [{}, []],
  [{ ...cost, ...sale }, []],
])('%# the newer form: %j → %j', (body, errors) => {
  expect(codesOf(body)).toEqual(errors);
});

const needsCost = ['/cost required', '/costIsVatInclusive required'];

test.each([
  [stock, needsCost],
  [{ declaredInStock: null }, needsCost],
  [{ declaredStockQuantity: 0 }, needsCost],
  [{ declaredStockQuantity: null, cost: null }, needsCost],
  [{ ...stock, cost: 5 }, ['/costIsVatInclusive required']],
  [{ ...stock, costIsVatInclusive: true }, ['/cost required']],
  [{ ...stock, barcode }, [`/barcode ${clash}`, ...needsCost]],
  [{ ...cost, ...stock, barcode }, [`/barcode ${clash}`]],
  [
    { ...cost, declaredStockQuantity: 0, salePrice: 5 },
    [`/salePrice ${clash}`, '/salePriceIsVatInclusive required'],
  ],
  [
    { ...cost, ...stock, barcode, ...sale },
    [`/barcode ${clash}`, `/salePrice ${clash}`, `/salePriceIsVatInclusive ${clash}`],
  ],
  [{ ...cost, ...stock, declaredStockQuantity: 0 }, ['/declaredStockQuantity stock_mismatch']],
  [
    { ...cost, declaredInStock: false, declaredStockQuantity: 1 },
    ['/declaredStockQuantity stock_mismatch'],
  ],
  [{ ...cost, declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  [{ ...cost, declaredInStock: 'true' }, ['/declaredInStock invalid_type']],
  [{ ...cost, ...stock, barcode: null, salePrice: null, salePriceIsVatInclusive: null }, []],
])('the older form: %j → %j', (body, errors) => {
  expect(codesOf(body)).toEqual(errors);
  expect(isOlderForm(body)).toBe(true);
  expect(isInvalidOlderForm(body)).toBe(errors.length > 0);
});

test.each([
  [{ declaredStockQuantity: 3, cost: 5 }, true],
  [{ cost: 5 }, false],
  [{ ...cost, ...stock }, false],
  [null, false],
  ['declaredInStock', false],
])('%j is an older form that is refused: %s (D74)', (body, isInvalid) => {
  expect(isInvalidOlderForm(body)).toBe(isInvalid);
});

test('lists malformed fields without the rules between fields', () => {
  const body = { declaredStockQuantity: 3, rawSizeMl: 'x', salePrice: 5, unknown: 1 };
  expect(malformedFields(body)).toMatchObject([{ path: '/rawSizeMl' }, { path: '/unknown' }]);
});

const editOf = (body: object) => {
  const { output, errors } = parseBody(updateOfferBody, body);
  expect(errors).toEqual([]);
  if (output === null) throw new Error('the body is refused');
  return offerEditOf(output);
};

describe('the edit', () => {
  const nothing = { description: {}, prices: [], isOlderForm: false, stock: null };
  const details = {
    vendorSku: 'S',
    vendorExternalId: 'K',
    rawBrandName: 'B',
    rawProductName: 'P',
    rawConcentration: 'C',
    rawDescription: ' D ',
  };
  const names = [
    ...Object.keys(details),
    'rawSizeMl',
    'barcode',
    ...Object.keys({ ...cost, ...sale }),
  ];

  test('has each field that was sent', () => {
    const description = { ...details, rawSizeMl: 7, barcode };
    expect(editOf({ ...description, ...cost, ...sale })).toEqual({
      ...nothing,
      description,
      prices: [
        { field: 'cost', declared: { amountHalalas: 500, isVatInclusive: false } },
        { field: 'salePrice', declared: { amountHalalas: 500, isVatInclusive: true } },
      ],
    });
  });

  test.each([undefined, null])('treats %s as absent, except for stock (D74)', (value) => {
    expect(editOf(Object.fromEntries(names.map((name) => [name, value])))).toEqual(nothing);
  });

  test.each(['', ' ', '\t\n', '\u2003'])('clears each text that is blank: %j', (blank) => {
    const blanks = Object.keys(details).map((name) => [name, blank]);
    const nulls = Object.keys(details).map((name) => [name, null]);
    expect(editOf(Object.fromEntries(blanks))).toEqual({
      ...nothing,
      description: Object.fromEntries(nulls),
    });
  });

  test('ignores a VAT flag without its price (D75)', () => {
    expect(editOf({ costIsVatInclusive: true })).toEqual(nothing);
    expect(editOf({ salePrice: null, salePriceIsVatInclusive: false })).toEqual(nothing);
  });

  test.each([
    [{ declaredInStock: null, declaredStockQuantity: null }, null],
    [{ declaredInStock: false }, { declaredInStock: false, declaredStockQuantity: null }],
    [{ declaredStockQuantity: 4 }, { declaredInStock: null, declaredStockQuantity: 4 }],
  ])('of the older form with %j declares %j', (body, declared) => {
    expect(editOf({ ...cost, ...body })).toMatchObject({ isOlderForm: true, stock: declared });
  });
});
