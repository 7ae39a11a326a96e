import { expect, test } from 'vitest';
import * as v from 'valibot';
import { costFields, salePriceFields } from '../../../../api/offers/push-fields.ts';
import { stockBody } from '../../../../api/offers/vendor-pushes.ts';
import { bodyErrors } from '../../../../api/validation/compiler.ts';

// The bodies of the three pushes. The forms of the fields have their cases in
// `validation/fields.test.ts`.

const codesOf = (schema: v.GenericSchema, body: unknown) =>
  bodyErrors(schema, body)
    .map(({ path, code }) => `${path} ${code}`)
    .toSorted();

test.each([
  [{}, ['/amount required', '/flag required']],
  [{ amount: 5 }, ['/flag required']],
  [{ flag: true }, ['/amount required']],
  [{ amount: null, flag: null }, ['/amount invalid_type', '/flag invalid_type']],
  [{ amount: '5', flag: 0 }, ['/amount invalid_type', '/flag invalid_type']],
  [{ amount: 0, flag: true }, ['/amount invalid_amount']],
  [{ amount: -5, flag: true }, ['/amount invalid_amount']],
  [{ amount: 1.005, flag: true }, ['/amount invalid_amount']],
  [{ amount: 10_000_000, flag: true }, ['/amount invalid_amount']],
  [{ amount: 9_999_999.99, flag: false }, []],
])('the price push %j: %j', (sent: { amount?: unknown; flag?: unknown }, errors) => {
  for (const [name, fields] of [
    ['cost', costFields],
    ['salePrice', salePriceFields],
  ] as const) {
    const named = (text: string) =>
      text.replace('amount ', `${name} `).replace('flag', `${name}IsVatInclusive`);
    const body = Object.fromEntries(
      Object.entries(sent).map(([key, value]) => [
        key === 'amount' ? name : `${name}IsVatInclusive`,
        value,
      ]),
    );
    expect(codesOf(v.strictObject(fields), body)).toEqual(errors.map(named));
  }
});

const inStock = { declaredInStock: true };

test.each<[unknown, readonly string[]]>([
  [{}, ['/declaredInStock required']],
  [{ declaredStockQuantity: 5 }, ['/declaredInStock required']],
  [{ declaredInStock: null }, ['/declaredInStock invalid_type']],
  [{ declaredInStock: 1 }, ['/declaredInStock invalid_type']],
  [{ ...inStock, declaredStockQuantity: 0 }, ['/declaredStockQuantity stock_mismatch']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['/declaredStockQuantity stock_mismatch']],
  [{ ...inStock, declaredStockQuantity: '5' }, ['/declaredStockQuantity invalid_type']],
  [{ ...inStock, declaredStockQuantity: 1.5 }, ['/declaredStockQuantity invalid_integer']],
  [{ ...inStock, declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  [{ ...inStock, declaredStockQuantity: 1_000_001 }, ['/declaredStockQuantity too_large']],
  [{ ...inStock, barcode: '4006381333931' }, ['/barcode unknown_field']],
  [[], [' invalid_type']],
  [{ ...inStock, declaredStockQuantity: null }, []],
  [{ declaredInStock: false, declaredStockQuantity: 0 }, []],
])('the stock push %j: %j', (body, errors) => {
  expect(codesOf(stockBody, body)).toEqual(errors);
});
