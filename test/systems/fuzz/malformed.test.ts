import { expect } from 'vitest';
import { appWith } from '../../api/error-codes/slow-app.ts';
import { fuzzTest as test } from './fuzz-test.ts';
import { portOf, prove, proveConnection } from './proof.ts';
import { unfinishedRequests } from './raw-requests.ts';

// FUZZ_REQUESTS=100000 is the long form. FUZZ_SEED makes other requests.
/* oxlint-disable node/no-process-env */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 8000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
/* oxlint-enable node/no-process-env */

test(
  `${requests} malformed requests: each refused as is due, no row changed, memory flat`,
  async ({ gateway, targets }) => {
    const { problems, kinds } = await prove(gateway, targets, { requests, seed });
    expect(problems).toEqual([]);
    expect(kinds.size).toBe(36);
  },
  30 * 60_000,
);

test('requests that begin and do not end are refused as late, once, and closed', async ({
  gateway,
  targets,
}) => {
  const { app } = await appWith(gateway.dependencies, { requestTimeoutMs: 3000 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const unfinished = unfinishedRequests(targets[0]?.token ?? '');
  const four = [...unfinished, ...unfinished, ...unfinished, ...unfinished];
  const problems = await Promise.all(four.map((each) => proveConnection(portOf({ app }), each)));
  expect(problems.flat()).toEqual([]);
});
