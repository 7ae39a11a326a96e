import { expect } from 'vitest';
import { freeFormOffer, newOperator } from '../../support/api/actors.ts';
import { call, textOf, type Gateway } from '../../support/api/api.ts';
import { jobsTest as test } from './job-runner.ts';
import type { CommandLine } from './cli-fixture.ts';

const header =
  'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,declaredStockQuantity';
const id = 'man-1795592838559';

/** The offer that an operator enters for the vendor, with an external id. */
async function enterOffer(gateway: Gateway, { vendor }: CommandLine): Promise<string> {
  const { token } = await newOperator(gateway);
  const url = `/operator/v1/vendors/${vendor.vendorId}/offers`;
  const body = { ...freeFormOffer, cost: 12, declaredStockQuantity: 1, vendorExternalId: id };
  return textOf(await call(gateway, 'POST', url, { token, body }), 'id');
}

// D144.
test("a file's row never reaches an operator's offer of the same id", async ({ cli, gateway }) => {
  const { sql } = gateway;
  const manualId = await enterOffer(gateway, cli);
  const stateOf = (offerId: string) => sql`select * from offers where id = ${offerId}`;
  const own = () => sql`
    select id from offers where vendor_id = ${cli.vendor.vendorId} and source = 'Api'`;
  const before = await stateOf(manualId);
  const importRow = async (cost: string, stock: number) => {
    const row = `${id},B,Other name,${cost},false,${stock}`;
    return cli.run('offers', 'import', await cli.write('offers.csv', header, row));
  };

  expect((await importRow('12.00', 5)).stdout).toMatch(/^Created 1, updated 0/);
  expect((await importRow('12.00', 7)).stdout).toMatch(/^Created 0, updated 1/);
  const stock = await cli.write(
    'stock.csv',
    'vendorExternalId,declaredInStock,declaredStockQuantity',
    `${id},true,9`,
  );
  expect((await cli.run('stock', 'push', stock)).stdout).toMatch(/^Pushed 1, failed 0/m);
  const prices = await cli.write(
    'prices.csv',
    'vendorExternalId,cost,costIsVatInclusive',
    `${id},13.00,false`,
  );
  expect((await cli.run('prices', 'push', prices, '--field', 'cost')).exitCode).toBe(0);
  // More than 1,000 rows to send go as jobs.
  const others = Array.from({ length: 1001 }, (_, index) => `n-${index},B,N,1,false,1`);
  const large = await cli.write('large.csv', header, `${id},B,Other name,14,false,4`, ...others);
  expect((await cli.run('offers', 'import', large)).stdout).toMatch(/^Created 1001, updated 1/);

  expect(await stateOf(manualId)).toEqual(before);
  expect(await own()).toHaveLength(1002);
}, 120_000);

test('of two imports of one file in the same instant, one runs and the other says so', async ({
  cli,
  gateway,
  jobRunner,
}) => {
  const rows = Array.from({ length: 1500 }, (_, index) => `t-${index},B,N,1,false,1`);
  const file = await cli.write('twice.csv', header, ...rows);
  jobRunner.holdAfter(0);
  const started = [1, 2, 3].map(() => cli.start('offers', 'import', file));
  const others = await Promise.race([
    Promise.all([started[0]?.ended, started[1]?.ended]),
    Promise.all([started[0]?.ended, started[2]?.ended]),
    Promise.all([started[1]?.ended, started[2]?.ended]),
  ]);
  for (const other of others)
    expect(other).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^ALREADY_RUNNING: Another process sends the same rows/),
    });
  jobRunner.release();
  const ended = await Promise.all(started.map((each) => each.ended));
  expect(ended.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
  const [{ jobs, offers }] = await gateway.sql<[{ jobs: number; offers: number }]>`
    select (select count(*)::int from bulk_jobs where vendor_id = ${cli.vendor.vendorId}) as jobs,
      (select count(*)::int from offers where vendor_id = ${cli.vendor.vendorId}) as offers`;
  expect({ jobs, offers }).toEqual({ jobs: 1, offers: 1500 });

  // The lock is free again.
  expect((await cli.run('offers', 'import', file)).stdout).toBe(
    'Created 0, updated 0, skipped 1500, failed 0.\n',
  );
}, 120_000);
