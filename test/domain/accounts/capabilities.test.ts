import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  capabilities,
  formatCapabilities,
  parseCapabilities,
} from '../../../domain/accounts/capabilities.ts';

test('they are those of the specification, in its order', () => {
  expect(capabilities).toEqual(['Offers', 'Stock', 'Cost', 'Orders', 'Account']);
});

test.each([
  ['Offers', ['Offers']],
  ['Stock, Offers', ['Offers', 'Stock']],
  ['Account,Orders,Cost,Stock,Offers', ['Offers', 'Stock', 'Cost', 'Orders', 'Account']],
  [' Offers ,\tStock ', ['Offers', 'Stock']],
  ['Cost,Cost,Cost', ['Cost']],
])('"%s" is %j', (list, expected) => {
  expect(parseCapabilities(list)).toEqual(expected);
});

test.each([
  '',
  ' ',
  ',',
  'Offers,',
  ',Offers',
  'Offers,,Stock',
  'offers',
  'OFFERS',
  'Offers Stock',
  'Admin',
])('"%s" is refused: a name is empty or unknown', (list) => {
  expect(parseCapabilities(list)).toBeNull();
});

test('what is shown reads as the same set, in the specification’s order, without blanks', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...capabilities], { minLength: 1 }), (granted) => {
      const shown = formatCapabilities(granted);
      expect(shown).not.toMatch(/\s/);
      expect(parseCapabilities(shown)).toEqual(
        capabilities.filter((name) => granted.includes(name)),
      );
    }),
  );
});
