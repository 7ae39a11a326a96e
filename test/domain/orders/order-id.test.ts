import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderGlobalId, orderIdOf } from '../../../domain/orders/order-id.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

test('writes the id of an order with a prefix, and reads it in any letter case', () => {
  expect(orderGlobalId(id)).toBe(`ord_${id}`);
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (orderId, isUpper) => {
      const shown = orderGlobalId(isUpper ? orderId.toUpperCase() : orderId);
      expect(orderIdOf(shown)).toBe(orderId);
    }),
  );
});

test.each([
  '',
  'ord_',
  id,
  `rr_${id}`,
  `ord_ord_${id}`,
  ` ord_${id}`,
  `ord_${id}0`,
  `ord_${id}\n`,
  `x\nord_${id}`,
  `ord_${id.replaceAll('-', '')}`,
  `ord_{${id}}`,
  `ord_${id.replace('a', 'g')}`,
  `ord_${id.slice(0, -1)}`,
  `ord_${id.replace('-774b', '')}`,
  // A digit of another script.
  `ord_${id.replace('0', '٠')}`,
])('refuses %j as the id of an order', (text) => {
  expect(orderIdOf(text)).toBeNull();
});
