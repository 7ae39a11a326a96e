import { expect, test } from 'vitest';
import { createTokenCache } from '../../../api/auth/token-cache.ts';

// `tokens.test.ts` has from when and until when a token is valid.

test('removes an entry after its last millisecond, and the oldest of too many', () => {
  const cache = createTokenCache<{ fromMs: number; untilMs: number }>(3);
  for (let index = 0; index < 100; index += 1)
    cache.set(`token ${index}`, { fromMs: 0, untilMs: 1000 });
  expect(cache.size()).toBe(3);
  expect(cache.get('token 96', 0)).toBeNull();
  for (const token of ['token 97', 'token 99'])
    expect(cache.get(token, 1000)).toEqual({ fromMs: 0, untilMs: 1000 });
  expect(cache.get('token 97', 1001)).toBeNull();
  expect(cache.size()).toBe(2);
});
