import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  capabilities,
  formatCapabilities,
  parseCapabilities,
} from '../../../domain/accounts/capabilities.ts';

test.each<[string, readonly string[] | null]>([
  ['Stock, Offers', ['Offers', 'Stock']],
  ['Account,Orders,Cost,Stock,Offers', ['Offers', 'Stock', 'Cost', 'Orders', 'Account']],
  [' Offers ,\tStock ', ['Offers', 'Stock']],
  ['Cost,Cost,Cost', ['Cost']],
  ...['', ' ', ',', 'Offers,', ',Offers', 'Offers,,Stock'].map((list): [string, null] => [
    list,
    null,
  ]),
  ...['offers', 'OFFERS', 'Offers Stock', 'Admin'].map((list): [string, null] => [list, null]),
])('reads the capabilities "%s" as %j', (list, expected) => {
  expect(parseCapabilities(list)).toEqual(expected);
});

test('writes capabilities in the order of the specification, without blanks', () => {
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
