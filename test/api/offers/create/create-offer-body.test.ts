import { expect, test } from 'vitest';
import { createOfferBody, declarationOf } from '../../../../api/offers/create-offer-body.ts';
import { bodyErrors, parseBody } from '../../../../api/validation/compiler.ts';
import { declaration } from '../../../domain/offers/offer-builders.ts';

// The forms of the fields have their cases in `validation/fields.test.ts`, and the published schema
// is compared with this body in `validation/rule-schemas.test.ts`.

const priced = { cost: 100, costIsVatInclusive: false };
const least = { ...priced, rawBrandName: 'Brand', rawProductName: 'Product' };
const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const sale = { salePrice: 5, salePriceIsVatInclusive: true };

test.each([
  [{ cost: undefined }, ['/cost required']],
  [{ cost: null }, ['/cost invalid_type']],
  [{ cost: -1 }, ['/cost invalid_amount']],
  [{ costIsVatInclusive: undefined }, ['/costIsVatInclusive required']],
  [{ costIsVatInclusive: null }, ['/costIsVatInclusive invalid_type']],
  [{ salePrice: 5 }, ['/salePriceIsVatInclusive required']],
  [{ ...sale, salePrice: 0 }, ['/salePrice invalid_amount']],
  [{ ...sale, salePriceIsVatInclusive: 1 }, ['/salePriceIsVatInclusive invalid_type']],
  [{ variantId: 'x' }, ['/variantId invalid_uuid']],
  [{ variantId: 5 }, ['/variantId invalid_type']],
  [{ rawBrandName: undefined }, ['/rawBrandName required']],
  [{ rawBrandName: ' ', variantId: ' ' }, ['/rawBrandName required']],
  [{ rawBrandName: 5 }, ['/rawBrandName invalid_type']],
  [{ rawProductName: null }, ['/rawProductName required']],
  [{ rawSizeMl: 0 }, ['/rawSizeMl too_small']],
  [{ declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  [{ declaredInStock: true, declaredStockQuantity: 0 }, ['/declaredStockQuantity stock_mismatch']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['/declaredStockQuantity stock_mismatch']],
  [{ declaredInStock: 'true' }, ['/declaredInStock invalid_type']],
  [{ saveAsDraft: 1 }, ['/saveAsDraft invalid_type']],
  [{ barcode: '00000000' }, ['/barcode invalid_barcode']],
  [{ vendorSku: 'x'.repeat(101) }, ['/vendorSku too_long']],
  [{ vendorExternalId: 'x'.repeat(256) }, ['/vendorExternalId too_long']],
  [{ rawBrandName: 'x'.repeat(256) }, ['/rawBrandName too_long']],
  [{ rawProductName: 'x'.repeat(256) }, ['/rawProductName too_long']],
  [{ rawConcentration: 'x'.repeat(101) }, ['/rawConcentration too_long']],
  [{ rawDescription: 'x'.repeat(4001) }, ['/rawDescription too_long']],
  [{ enteredVatInclusive: true }, ['/enteredVatInclusive unknown_field']],
  [{ status: 'Approved', Cost: 5 }, ['/Cost unknown_field', '/status unknown_field']],
  [
    { cost: '5', rawBrandName: '', barcode: 'x', salePrice: 5, 'a/b': 2 },
    [
      '/a~1b unknown_field',
      '/barcode invalid_barcode',
      '/cost invalid_type',
      '/rawBrandName required',
      '/salePriceIsVatInclusive required',
    ],
  ],
  [{}, []],
  [{ variantId: id, rawBrandName: null, rawProductName: ' ' }, []],
])('%# a body with %j: %j', (given, errors) => {
  const codes = bodyErrors(createOfferBody, { ...least, ...given });
  expect(codes.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual(errors);
});

test('the message says when a cost may be 0', () => {
  const [error] = bodyErrors(createOfferBody, { ...least, cost: -1 });
  expect(error?.message).toMatch(/^must be above 0 \(0 only under PercentageOfSale\), at most/);
});

const declarationIn = (body: object) => {
  const { output } = parseBody(createOfferBody, body);
  if (output === null) throw new Error('the body is refused');
  return declarationOf(output);
};
const nothing = declaration();

test('a declaration has each field that was sent', () => {
  const given = {
    variantId: id,
    vendorSku: ' V-1 ',
    vendorExternalId: 'Key',
    barcode: '96385074',
    costIsVatInclusive: true,
    declaredStockQuantity: 3,
    declaredInStock: true,
    rawBrandName: 'B',
    rawProductName: 'P',
    rawConcentration: 'EDP',
    rawDescription: 'Text',
    rawSizeMl: 50,
    saveAsDraft: true,
  };
  const { salePrice: _, ...declared } = { ...given, ...sale };
  expect(declarationIn({ ...priced, ...given, ...sale })).toEqual({
    ...declared,
    costHalalas: 10_000,
    salePriceHalalas: 500,
  });
  expect(declarationIn({ ...least, variantId: id.toUpperCase() }).variantId).toBe(id);
});

test('a declaration treats null, and a blank text, as absent', () => {
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
