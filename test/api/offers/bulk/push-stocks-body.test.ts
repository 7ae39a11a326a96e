import { expect, test } from 'vitest';
import type * as v from 'valibot';
import { bulkBody, stockItem } from '../../../../api/offers/bulk/bulk-body.ts';
import { bodyErrors } from '../../../../api/validation/compiler.ts';

// The fields of a push have their cases in `pushes/push-offer-body.test.ts`.

const codesOf = (schema: v.GenericSchema, body: unknown) =>
  bodyErrors(schema, body)
    .map(({ path, code }) => `${path} ${code}`)
    .toSorted();
const offerId = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const stock = { declaredInStock: true, declaredStockQuantity: 5 };

test.each<[unknown, readonly string[]]>([
  [null, [' invalid_type']],
  [[], [' invalid_type']],
  ['x', [' invalid_type']],
  [{}, ['/declaredInStock required', '/offerId required']],
  [{ offerId: null, vendorExternalId: null, ...stock }, ['/offerId required']],
  [{ offerId: 'x', ...stock }, ['/offerId invalid_uuid']],
  [{ offerId, vendorExternalId: 'a', ...stock }, ['/vendorExternalId clashes_with_offer_id']],
  [{ offerId, ...stock, extra: 1 }, ['/extra unknown_field']],
  [{ offerId, ...stock, declaredStockQuantity: -1 }, ['/declaredStockQuantity too_small']],
  [{ offerId, ...stock, declaredStockQuantity: 0 }, ['/declaredStockQuantity stock_mismatch']],
  [{ vendorExternalId: 'a\0', ...stock }, ['/vendorExternalId invalid_characters']],
  [{ offerId, vendorExternalId: null, ...stock }, []],
  [{ offerId: null, vendorExternalId: 'a', ...stock }, []],
])('the item %j: %j', (item, errors) => {
  expect(codesOf(stockItem, item)).toEqual(errors);
});

test.each<[unknown, readonly string[]]>([
  [{}, ['/items required']],
  [[], [' invalid_type']],
  [{ items: {} }, ['/items invalid_type']],
  [{ items: [] }, ['/items too_few']],
  [{ items: Array.from({ length: 1001 }) }, ['/items too_many']],
  [{ items: [1], extra: 1 }, ['/extra unknown_field']],
  [{ items: [null] }, []],
])('%# the body %j: %j', (body, errors) => {
  expect(codesOf(bulkBody(stockItem), body)).toEqual(errors);
});
