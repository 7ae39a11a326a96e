import { expect, test } from 'vitest';
import { BoundedMap } from '../../api/bounded-map.ts';

test('evicts the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2);
  for (const [value, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, value);
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ]);
});
