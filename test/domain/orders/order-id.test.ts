import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderGlobalId, orderIdOf } from '../../../domain/orders/order-id.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

test('an order is known by its own id, with a prefix that says what it is', () => {
  expect(orderGlobalId(id)).toBe(`ord_${id}`);
});

test('what is shown names the order again, in any letter case', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (orderId, isUpper) => {
      const shown = orderGlobalId(isUpper ? orderId.toUpperCase() : orderId);
      expect(orderIdOf(shown)).toBe(orderId);
    }),
  );
});

test.each([
  ['nothing', ''],
  ['the prefix alone', 'ord_'],
  ['an id without the prefix', id],
  ['another prefix', `rr_${id}`],
  ['the prefix twice', `ord_ord_${id}`],
  ['something before it', ` ord_${id}`],
  ['something after it', `ord_${id}0`],
  ['a line end after it', `ord_${id}\n`],
  ['a line before it', `x\nord_${id}`],
  ['no hyphens', `ord_${id.replaceAll('-', '')}`],
  ['braces', `ord_{${id}}`],
  ['a letter that is no digit', `ord_${id.replace('a', 'g')}`],
  ['a digit too few', `ord_${id.slice(0, -1)}`],
  ['a group too few', `ord_${id.replace('-774b', '')}`],
  ['digits of another script', `ord_${id.replace('0', '٠')}`],
])('%s names no order', (_what, text) => {
  expect(orderIdOf(text)).toBeNull();
});
