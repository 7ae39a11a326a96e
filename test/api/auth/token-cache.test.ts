import { expect, test } from 'vitest';
import { createTokenCache } from '../../../api/auth/token-cache.ts';

const entry = (id: string, fromMs = 0, untilMs = 1000) => ({ id, fromMs, untilMs });
const createCache = (max?: number) => createTokenCache<ReturnType<typeof entry>>(max);

test('an entry is valid from its first to its last millisecond, and then removed', () => {
  const cache = createCache();
  cache.set('a', entry('a', 10, 20));
  expect(cache.get('a', 10)).toEqual(entry('a', 10, 20));
  expect(cache.get('a', 20)).toEqual(entry('a', 10, 20));
  expect(cache.get('b', 15)).toBeNull();
  expect(cache.get('a', 21)).toBeNull();
  expect(cache.size()).toBe(0);
  cache.set('a', entry('a', 10, 20));
  expect(cache.get('a', 9)).toBeNull();
});

test('the number of entries is bounded: the oldest one is evicted', () => {
  const cache = createCache(3);
  for (let index = 0; index < 100; index += 1) cache.set(`token ${index}`, entry(String(index)));
  expect(cache.size()).toBe(3);
  expect(cache.get('token 96', 0)).toBeNull();
  expect(cache.get('token 97', 0)).toEqual(entry('97'));
  expect(cache.get('token 99', 0)).toEqual(entry('99'));
});
