import { expect } from 'vitest';
import { barcodes } from '../offer-fixture.ts';
import { fieldErrorsOf, unknownId } from '../../support/api.ts';
import { test, expectRefused } from './vendor-offer-update-validation-fixture.ts';

const cost = { cost: 5, costIsVatInclusive: false };

test.for<[Record<string, unknown>, string]>([
  [{ ...cost, cost: '5' }, 'Cost invalid_type'],
  [{ ...cost, cost: true }, 'Cost invalid_type'],
  [{ ...cost, cost: [5] }, 'Cost invalid_type'],
  [{ ...cost, cost: 0 }, 'Cost invalid_amount'],
  [{ ...cost, cost: -0.01 }, 'Cost invalid_amount'],
  [{ ...cost, cost: 1.005 }, 'Cost invalid_amount'],
  [{ ...cost, cost: 0.1 + 0.2 }, 'Cost invalid_amount'],
  [{ ...cost, cost: 8.165 }, 'Cost invalid_amount'],
  [{ ...cost, cost: 10_000_000 }, 'Cost invalid_amount'],
  [{ ...cost, cost: 1e-7 }, 'Cost invalid_amount'],
  [{ ...cost, costIsVatInclusive: 'false' }, 'CostIsVatInclusive invalid_type'],
  [{ ...cost, costIsVatInclusive: 0 }, 'CostIsVatInclusive invalid_type'],
  [{ cost: 5 }, 'CostIsVatInclusive required'],
  [{ cost: 5, costIsVatInclusive: null }, 'CostIsVatInclusive required'],
  [{ salePrice: 5 }, 'SalePriceIsVatInclusive required'],
  [{ salePrice: 5, salePriceIsVatInclusive: null }, 'SalePriceIsVatInclusive required'],
  [{ salePrice: '5', salePriceIsVatInclusive: true }, 'SalePrice invalid_type'],
  [{ salePrice: 0.001, salePriceIsVatInclusive: true }, 'SalePrice invalid_amount'],
  [{ salePrice: 5, salePriceIsVatInclusive: 1 }, 'SalePriceIsVatInclusive invalid_type'],
  [{ barcode: '' }, 'Barcode invalid_barcode'],
  [{ barcode: ' ' }, 'Barcode invalid_barcode'],
  [{ barcode: '0000000000000' }, 'Barcode invalid_barcode'],
  [{ barcode: '4006381333932' }, 'Barcode invalid_barcode'],
  [{ barcode: ' 4006381333931' }, 'Barcode invalid_barcode'],
  [{ barcode: '4006381-333931' }, 'Barcode invalid_barcode'],
  [{ barcode: '٤٠٠٦٣٨١٣٣٣٩٣١' }, 'Barcode invalid_barcode'],
  [{ barcode: 4_006_381_333_931 }, 'Barcode invalid_type'],
  [{ vendorSku: 5 }, 'VendorSku invalid_type'],
  [{ vendorExternalId: false }, 'VendorExternalId invalid_type'],
  [{ rawBrandName: [] }, 'RawBrandName invalid_type'],
  [{ rawProductName: {} }, 'RawProductName invalid_type'],
  [{ rawConcentration: 1 }, 'RawConcentration invalid_type'],
  [{ rawDescription: true }, 'RawDescription invalid_type'],
  [{ rawSizeMl: 0 }, 'RawSizeMl too_small'],
  [{ rawSizeMl: 100_001 }, 'RawSizeMl too_large'],
  [{ rawSizeMl: 1.5 }, 'RawSizeMl invalid_integer'],
  [{ rawSizeMl: '50' }, 'RawSizeMl invalid_type'],
  [{ rawSizeMl: '' }, 'RawSizeMl invalid_type'],
  [{ ...cost, declaredStockQuantity: -1 }, 'DeclaredStockQuantity too_small'],
  [{ ...cost, declaredStockQuantity: 1_000_001 }, 'DeclaredStockQuantity too_large'],
  [{ ...cost, declaredStockQuantity: 0.5 }, 'DeclaredStockQuantity invalid_integer'],
  [{ ...cost, declaredStockQuantity: '5' }, 'DeclaredStockQuantity invalid_type'],
  [{ ...cost, declaredInStock: 'true' }, 'DeclaredInStock invalid_type'],
  [
    { ...cost, declaredInStock: true, declaredStockQuantity: 0 },
    'DeclaredStockQuantity stock_mismatch',
  ],
  [
    { ...cost, declaredInStock: false, declaredStockQuantity: 1 },
    'DeclaredStockQuantity stock_mismatch',
  ],
  [{ enteredVatInclusive: true }, 'EnteredVatInclusive unknown_field'],
  [{ costEnteredVatInclusive: true }, 'CostEnteredVatInclusive unknown_field'],
  [{ salePriceEnteredVatInclusive: true }, 'SalePriceEnteredVatInclusive unknown_field'],
  [{ variantId: unknownId() }, 'VariantId unknown_field'],
  [{ variantId: null }, 'VariantId unknown_field'],
  [{ status: 'Approved' }, 'Status unknown_field'],
  [{ version: 1 }, 'Version unknown_field'],
  [{ vendorId: unknownId() }, 'VendorId unknown_field'],
  [{ saveAsDraft: true }, 'SaveAsDraft unknown_field'],
  [{ pendingCost: null }, 'PendingCost unknown_field'],
  [{ product: {} }, 'Product unknown_field'],
  [{ Barcode: barcodes.first }, 'Barcode unknown_field'],
] as const)(
  '%j is refused, and changes nothing: %s',
  async ([body, error], { gateway, fixture, id }) => {
    await expectRefused({ gateway, fixture, id }, body, [error]);
    await expectRefused(
      { gateway, fixture, id },
      { ...body, vendorSku: body['vendorSku'] ?? 'other' },
      [error],
    );
  },
);

test.for<[Record<string, unknown>, readonly string[]]>([
  [{ declaredInStock: true }, ['Cost required', 'CostIsVatInclusive required']],
  [{ declaredInStock: false }, ['Cost required', 'CostIsVatInclusive required']],
  [{ declaredStockQuantity: 0 }, ['Cost required', 'CostIsVatInclusive required']],
  [{ declaredStockQuantity: 3, cost: null }, ['Cost required', 'CostIsVatInclusive required']],
  [{ declaredInStock: true, cost: 5 }, ['CostIsVatInclusive required']],
  [{ declaredInStock: true, costIsVatInclusive: true }, ['Cost required']],
] as const)(
  'the older form %j asks for cost and its flag: %j',
  async ([body, errors], { gateway, fixture, id }) => {
    await expectRefused({ gateway, fixture, id }, body, errors);
  },
);

const clash = 'clashes_with_stock';

test.for<[Record<string, unknown>, readonly string[]]>([
  [{ barcode: barcodes.first }, [`Barcode ${clash}`]],
  [{ salePrice: 5 }, [`SalePrice ${clash}`, 'SalePriceIsVatInclusive required']],
  [{ salePriceIsVatInclusive: true }, [`SalePriceIsVatInclusive ${clash}`]],
  [
    { barcode: barcodes.first, salePrice: 5, salePriceIsVatInclusive: true },
    [`Barcode ${clash}`, `SalePrice ${clash}`, `SalePriceIsVatInclusive ${clash}`],
  ],
] as const)(
  'declared stock together with %j is refused, and the clash is named: %j',
  async ([body, errors], { gateway, fixture, id }) => {
    await expectRefused(
      { gateway, fixture, id },
      { ...cost, declaredInStock: true, ...body },
      errors,
    );
    await expectRefused(
      { gateway, fixture, id },
      { ...cost, declaredStockQuantity: 0, ...body },
      errors,
    );
  },
);

test('a clash is named also where cost is missing', async ({ gateway, fixture, id }) => {
  await expectRefused(
    { gateway, fixture, id },
    { declaredInStock: true, barcode: barcodes.first },
    [`Barcode ${clash}`, 'Cost required', 'CostIsVatInclusive required'],
  );
});

test('null is no clash and no need: it says nothing', async ({ fixture, id }) => {
  const nothing = { barcode: null, salePrice: null, salePriceIsVatInclusive: null };
  expect(
    (
      await fixture.patch(id, {
        cost: 100,
        costIsVatInclusive: false,
        declaredStockQuantity: 5,
        ...nothing,
      })
    ).status,
  ).toBe(200);
});

test.for(['1e400', '-1e400', '1e309'])(
  'the number %s in JSON is no amount, no count and no size',
  async (number, { fixture, id }) => {
    const given = { ...cost, cost: 12_345, declaredStockQuantity: 12_345, rawSizeMl: 12_345 };
    const answer = await fixture.patch(id, JSON.stringify(given).replaceAll('12345', number));
    expect(fieldErrorsOf(answer)).toEqual(
      expect.arrayContaining([
        'Cost invalid_amount',
        'DeclaredStockQuantity invalid_integer',
        'RawSizeMl invalid_integer',
      ]),
    );
  },
);

const texts: readonly (readonly [string, number])[] = [
  ['vendorSku', 100],
  ['vendorExternalId', 255],
  ['rawBrandName', 255],
  ['rawProductName', 255],
  ['rawConcentration', 100],
  ['rawDescription', 4000],
];
const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

test.for(texts)(
  '%s has at most %i characters, counted as code points',
  async ([name, max], { gateway, fixture, id }) => {
    const { status, text } = await fixture.patch(id, { [name]: '😀'.repeat(max) });
    expect(status).toBe(200);
    expect(text).toContain('😀'.repeat(max));
    await expectRefused({ gateway, fixture, id }, { [name]: 'x'.repeat(max + 1) }, [
      `${pascal(name)} too_long`,
    ]);
    await expectRefused({ gateway, fixture, id }, { [name]: '😀'.repeat(max + 1) }, [
      `${pascal(name)} too_long`,
    ]);
    // Blank or not: what is too long is not read as nothing.
    await expectRefused({ gateway, fixture, id }, { [name]: ' '.repeat(max + 1) }, [
      `${pascal(name)} too_long`,
    ]);
  },
);

test.for(texts)(
  '%s takes no NUL and no lone surrogate',
  async ([name], { gateway, fixture, id }) => {
    for (const text of ['a\0b', '\ud800', 'x\udc00', '\ude00\ud83d']) {
      await expectRefused({ gateway, fixture, id }, { [name]: text }, [
        `${pascal(name)} invalid_characters`,
      ]);
    }
  },
);
