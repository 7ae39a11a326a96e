import { expect } from 'vitest';
import { appWith } from '../../api/error-codes/slow-app.ts';
import { growth, slope } from './memory.ts';
import { portOf, prove, proveConnection } from './proof.ts';
import { rawKindsMin, unfinishedRequests } from './raw-requests.ts';
import { kindsOf } from './requests.ts';
import { readTargets, seedRows } from './targets.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// FUZZ_REQUESTS=100000 is the long form. FUZZ_SEED makes other requests.
/* oxlint-disable node/no-process-env */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 8000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
/* oxlint-enable node/no-process-env */
const isLong = requests > 10_000;

const test = gatewayTest.extend('rows', { scope: 'file' }, ({ gateway }) => seedRows(gateway));

test.beforeAll(async ({ gateway }) => {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
});

test(
  `${requests} malformed requests: each refused as is due, no row changed, memory flat`,
  async ({ gateway, rows }) => {
    const rounds = isLong ? 40 : 5;
    const { problems, seen, samples } = await prove(gateway, rows, { requests, seed, rounds });
    if (isLong) {
      for (const [kind, answers] of seen) console.log(kind, Object.fromEntries(answers));
      for (const [name, its] of Object.entries(samples)) {
        const [first, last] = [its[0]?.bytes, its.at(-1)?.bytes];
        console.log(name, { first, last, growth: growth(its), bytesARequest: slope(its) });
      }
    }
    expect(problems).toEqual([]);
    const kinds = kindsOf(await readTargets(gateway, rows));
    expect([...kinds].filter((kind) => !seen.has(kind))).toEqual([]);
    expect(seen.size - kinds.size).toBe(rawKindsMin);
  },
  30 * 60_000,
);

test('requests that begin and do not end are refused as late, once, and closed', async ({
  gateway,
  rows,
}) => {
  const { app } = await appWith(gateway.dependencies, { requestTimeoutMs: 3000 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const [target] = await readTargets(gateway, rows);
  const unfinished = unfinishedRequests(target?.token ?? '');
  const four = [...unfinished, ...unfinished, ...unfinished, ...unfinished];
  const problems = await Promise.all(four.map((each) => proveConnection(portOf({ app }), each)));
  expect(problems.flat()).toEqual([]);
});
