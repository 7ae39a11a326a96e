import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bulkBody, stockItem } from '../../../../api/offers/bulk/bulk-body.ts';
import { costFields, salePriceFields } from '../../../../api/offers/declared-fields.ts';
import { stockBody } from '../../../../api/offers/vendor-pushes.ts';
import { bodyErrors } from '../../../../api/validation/compiler.ts';

// The forms of the fields have their cases in `validation/fields.test.ts`.

const schemas = {
  'cost push': v.strictObject(costFields),
  'sale-price push': v.strictObject(salePriceFields),
  'stock push': stockBody,
  'bulk push': bulkBody(stockItem),
  item: stockItem,
};
const offerId = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const inStock = { declaredInStock: true };
const item = { offerId, ...inStock };
const sale = { salePrice: 5, salePriceIsVatInclusive: true };
const mismatch = ['/declaredStockQuantity stock_mismatch'];

test.each<[keyof typeof schemas, unknown, readonly string[]]>([
  ['cost push', {}, ['/cost required', '/costIsVatInclusive required']],
  ['cost push', { cost: 5, costIsVatInclusive: 0 }, ['/costIsVatInclusive invalid_type']],
  ['cost push', { cost: 0, costIsVatInclusive: true }, ['/cost invalid_amount']],
  ['cost push', { cost: 9_999_999.99, costIsVatInclusive: false }, []],
  ['sale-price push', {}, ['/salePrice required', '/salePriceIsVatInclusive required']],
  ['sale-price push', { ...sale, salePrice: 0 }, ['/salePrice invalid_amount']],
  ['stock push', [], [' invalid_type']],
  ['stock push', {}, ['/declaredInStock required']],
  ['stock push', { declaredInStock: null }, ['/declaredInStock invalid_type']],
  ['stock push', { ...inStock, declaredStockQuantity: 0 }, mismatch],
  ['stock push', { declaredInStock: false, declaredStockQuantity: 1 }, mismatch],
  ['stock push', { ...inStock, declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  ['stock push', { ...inStock, barcode: '4006381333931' }, ['/barcode unknown_field']],
  ['stock push', { ...inStock, declaredStockQuantity: null }, []],
  ['stock push', { declaredInStock: false, declaredStockQuantity: 0 }, []],
  ['item', null, [' invalid_type']],
  ['item', {}, ['/declaredInStock required', '/offerId required']],
  ['item', { ...inStock, offerId: null, vendorExternalId: null }, ['/offerId required']],
  ['item', { ...inStock, offerId: 'x' }, ['/offerId invalid_uuid']],
  ['item', { ...item, vendorExternalId: 'a' }, ['/vendorExternalId clashes_with_offer_id']],
  ['item', { ...item, extra: 1 }, ['/extra unknown_field']],
  ['item', { ...item, declaredStockQuantity: 0 }, mismatch],
  ['item', { ...inStock, vendorExternalId: 'x'.repeat(256) }, ['/vendorExternalId too_long']],
  ['item', { ...item, vendorExternalId: null }, []],
  ['item', { ...inStock, offerId: null, vendorExternalId: 'a' }, []],
  ['bulk push', {}, ['/items required']],
  ['bulk push', { items: {} }, ['/items invalid_type']],
  ['bulk push', { items: [] }, ['/items too_few']],
  ['bulk push', { items: Array.from({ length: 1001 }) }, ['/items too_many']],
  ['bulk push', { items: [1], extra: 1 }, ['/extra unknown_field']],
  ['bulk push', { items: [null] }, []],
])('%#: judges the body of a %s', (name, body, errors) => {
  const codes = bodyErrors(schemas[name], body).map(({ path, code }) => `${path} ${code}`);
  expect(codes.toSorted()).toEqual(errors);
});
