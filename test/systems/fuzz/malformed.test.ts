import { expect } from 'vitest';
import { fuzzTest as test } from './fuzz-test.ts';
import { prove } from './proof.ts';

// FUZZ_REQUESTS=100000 is the long form. FUZZ_SEED makes other requests.
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 8000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);

test(
  `refuses each of ${requests} malformed requests as due, changes no row and leaks no memory`,
  async ({ gateway, targets }) => {
    const { problems, kinds } = await prove(gateway, targets, { requests, seed });
    expect(problems).toEqual([]);
    expect(kinds.size).toBe(28);
  },
  30 * 60_000,
);
