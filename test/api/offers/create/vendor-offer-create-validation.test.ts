import { expect } from 'vitest';
import { freeFormOffer, newVariant, newVendor } from '../../support/actors.ts';
import { call, fieldErrorsOf, unknownId, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = { readonly gateway: Gateway; readonly token: string; readonly vendorId: string };

const test = gatewayTest
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('token', { scope: 'file' }, ({ vendor }) => vendor.token)
  .extend('vendorId', { scope: 'file' }, ({ vendor }) => vendor.vendorId);

const send = (gateway: Gateway, token: string, body: unknown) =>
  call(gateway, 'POST', '/api/v1/scent/offers', { token, body });
const create = (gateway: Gateway, token: string, given: Record<string, unknown>) =>
  send(gateway, token, { ...freeFormOffer, ...given });

const offerCount = (gateway: Gateway, vendorId: string) =>
  gateway.sql`select count(*) from offers where vendor_id = ${vendorId}`;

/** Expects a 400 that names exactly these, as `field code`, and that nothing was stored. */
async function expectRefused(
  { gateway, token, vendorId }: Pick<Fixtures, 'gateway' | 'token' | 'vendorId'>,
  body: unknown,
  errors: readonly string[],
): Promise<void> {
  const before = await offerCount(gateway, vendorId);
  const answer = await send(gateway, token, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await offerCount(gateway, vendorId)).toEqual(before);
}

test.for<[Record<string, unknown>, string]>([
  [{ cost: undefined }, 'Cost required'],
  [{ cost: null }, 'Cost invalid_type'],
  [{ cost: '100' }, 'Cost invalid_type'],
  [{ cost: 0 }, 'Cost invalid_amount'],
  [{ cost: -0.01 }, 'Cost invalid_amount'],
  [{ cost: 1.005 }, 'Cost invalid_amount'],
  [{ cost: 0.1 + 0.2 }, 'Cost invalid_amount'],
  [{ cost: 8.165 }, 'Cost invalid_amount'],
  [{ cost: 10_000_000 }, 'Cost invalid_amount'],
  [{ cost: 1e21 }, 'Cost invalid_amount'],
  [{ cost: 1e-7 }, 'Cost invalid_amount'],
  [{ costIsVatInclusive: undefined }, 'CostIsVatInclusive required'],
  [{ costIsVatInclusive: null }, 'CostIsVatInclusive invalid_type'],
  [{ costIsVatInclusive: 'true' }, 'CostIsVatInclusive invalid_type'],
  [{ costIsVatInclusive: 1 }, 'CostIsVatInclusive invalid_type'],
  [{ salePrice: 5 }, 'SalePriceIsVatInclusive required'],
  [{ salePrice: '5', salePriceIsVatInclusive: true }, 'SalePrice invalid_type'],
  [{ salePrice: 0.001, salePriceIsVatInclusive: true }, 'SalePrice invalid_amount'],
  [{ variantId: 'x' }, 'VariantId invalid_uuid'],
  [{ variantId: 5 }, 'VariantId invalid_type'],
  [{ rawBrandName: undefined }, 'RawBrandName required'],
  [{ rawBrandName: null }, 'RawBrandName required'],
  [{ rawBrandName: ' ' }, 'RawBrandName required'],
  [{ rawBrandName: 5 }, 'RawBrandName invalid_type'],
  [{ rawProductName: undefined }, 'RawProductName required'],
  [{ rawProductName: '' }, 'RawProductName required'],
  [{ rawSizeMl: 0 }, 'RawSizeMl too_small'],
  [{ rawSizeMl: 100_001 }, 'RawSizeMl too_large'],
  [{ rawSizeMl: 1.5 }, 'RawSizeMl invalid_integer'],
  [{ rawSizeMl: '50' }, 'RawSizeMl invalid_type'],
  [{ declaredStockQuantity: -1 }, 'DeclaredStockQuantity too_small'],
  [{ declaredStockQuantity: 1_000_001 }, 'DeclaredStockQuantity too_large'],
  [{ declaredStockQuantity: 0.5 }, 'DeclaredStockQuantity invalid_integer'],
  [{ declaredStockQuantity: '5' }, 'DeclaredStockQuantity invalid_type'],
  [{ declaredInStock: true, declaredStockQuantity: 0 }, 'DeclaredStockQuantity stock_mismatch'],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, 'DeclaredStockQuantity stock_mismatch'],
  [{ declaredInStock: 'true' }, 'DeclaredInStock invalid_type'],
  [{ saveAsDraft: 'true' }, 'SaveAsDraft invalid_type'],
  [{ saveAsDraft: 1 }, 'SaveAsDraft invalid_type'],
  [{ barcode: '4006381333932' }, 'Barcode invalid_barcode'],
  [{ barcode: ' 4006381333931' }, 'Barcode invalid_barcode'],
  [{ barcode: '00000000' }, 'Barcode invalid_barcode'],
  [{ barcode: 4_006_381_333_931 }, 'Barcode invalid_type'],
  [{ enteredVatInclusive: true }, 'EnteredVatInclusive unknown_field'],
  [{ costEnteredVatInclusive: true }, 'CostEnteredVatInclusive unknown_field'],
  [{ status: 'Approved' }, 'Status unknown_field'],
  [{ vendorId: unknownId() }, 'VendorId unknown_field'],
  [{ Cost: 5 }, 'Cost unknown_field'],
] as const)('%j is refused: %s', async ([given, error], { gateway, token, vendorId }) => {
  await expectRefused({ gateway, token, vendorId }, { ...freeFormOffer, ...given }, [error]);
});

test.for(['1e400', '-1e400', '1e309'])(
  'the number %s in JSON is no amount and no count',
  async (number, { gateway, token }) => {
    const given = { ...freeFormOffer, cost: 12_345, declaredStockQuantity: 12_345 };
    const answer = await send(gateway, token, JSON.stringify(given).replaceAll('12345', number));
    expect(fieldErrorsOf(answer)).toEqual(
      expect.arrayContaining(['Cost invalid_amount', 'DeclaredStockQuantity invalid_integer']),
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

test.for(texts)(
  '%s has at most %i characters, counted as code points',
  async ([name, max], { gateway, token, vendorId }) => {
    const pascal = name.charAt(0).toUpperCase() + name.slice(1);
    expect((await create(gateway, token, { [name]: '😀'.repeat(max) })).payload).toMatchObject({
      [name]: '😀'.repeat(max),
    });
    await expectRefused(
      { gateway, token, vendorId },
      { ...freeFormOffer, [name]: 'x'.repeat(max + 1) },
      [`${pascal} too_long`],
    );
    await expectRefused(
      { gateway, token, vendorId },
      { ...freeFormOffer, [name]: '😀'.repeat(max + 1) },
      [`${pascal} too_long`],
    );
  },
);

test.for(texts)(
  '%s takes no NUL and no lone surrogate',
  async ([name], { gateway, token, vendorId }) => {
    const pascal = name.charAt(0).toUpperCase() + name.slice(1);
    for (const text of ['a\0b', '\ud800', 'x\udc00', '\ude00\ud83d']) {
      await expectRefused({ gateway, token, vendorId }, { ...freeFormOffer, [name]: text }, [
        `${pascal} invalid_characters`,
      ]);
    }
  },
);

test('every failing field is listed, unknown ones too, each with its pointer and message', async ({
  gateway,
  token,
}) => {
  const answer = await send(gateway, token, {
    cost: '5',
    rawSizeMl: 0,
    barcode: 'x',
    salePrice: 5,
    extra: 1,
    'a/b': 2,
  });
  expect(fieldErrorsOf(answer)).toEqual([
    'A/b unknown_field',
    'Barcode invalid_barcode',
    'Cost invalid_type',
    'CostIsVatInclusive required',
    'Extra unknown_field',
    'RawBrandName required',
    'RawProductName required',
    'RawSizeMl too_small',
    'SalePriceIsVatInclusive required',
  ]);
  const errors = answer.details['errors'] as { field: string; path: string; message: string }[];
  expect(errors.find(({ field }) => field === 'Barcode')?.path).toBe('/barcode');
  expect(errors.find(({ field }) => field === 'A/b')?.path).toBe('/a~1b');
  for (const { message } of errors) expect(message).toMatch(/\w/);
});

test('an unknown and an inactive variant are refused on VariantId', async ({
  gateway,
  token,
  vendorId,
}) => {
  const inactive = await newVariant(gateway, { isActive: false });
  for (const variantId of [unknownId(), inactive.id]) {
    await expectRefused({ gateway, token, vendorId }, { ...freeFormOffer, variantId }, [
      'VariantId unknown_variant',
    ]);
  }
});

test('a query parameter is refused by its name', async ({ gateway, token }) => {
  const url = '/api/v1/scent/offers?draft=true';
  expect(await call(gateway, 'POST', url, { token, body: freeFormOffer })).toMatchObject({
    status: 400,
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['validateOnly'] },
  });
});
