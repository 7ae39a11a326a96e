import { expect } from 'vitest';
import { freeFormOffer, newOperator } from '../../support/api/actors.ts';
import { call, textOf, unknownId } from '../../support/api/api.ts';
import { jobsTest as test, jsonLines, offerHeader, offerRows } from './cli-fixture.ts';

const stockHeader = 'vendorExternalId,declaredInStock,declaredStockQuantity';

test('sends by an import only what differs', async ({ cli, gateway }) => {
  const sent: string[] = [];
  gateway.app.server.on('request', ({ method, url }: { method: string; url: string }) => {
    if (method !== 'GET' && !url.startsWith('/api/v1/auth')) sent.push(`${method} ${url}`);
  });
  const rows = offerRows(30);
  const first = await cli.importLines([offerHeader, ...rows]);
  expect(first).toMatchObject({
    exitCode: 0,
    stdout: 'Created 30, updated 0, skipped 0, failed 0.\n',
  });
  expect(sent.splice(0)).toHaveLength(30);
  const again = await cli.importLines([offerHeader, ...rows]);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 30, failed 0.\n');
  expect(sent).toEqual([]);

  const changed = offerRows(30, (index) => (index < 3 ? '7.5' : '10.25'));
  const third = await cli.importLines([offerHeader, ...changed], '--json');
  expect(jsonLines(third.stdout).at(-1)).toEqual({
    summary: { created: 0, updated: 3, skipped: 27, failed: 0, left: 0, dryRun: false },
  });
  expect(sent).toHaveLength(3);
});

test('lists by a dry run the rows that the gateway would refuse, and stores nothing', async ({
  cli,
  gateway,
}) => {
  const [first, second, third] = offerRows(3);
  await cli.importLines([offerHeader, `${first}`, `${third}`]);
  const readStored = () => gateway.sql`
    select vendor_external_id, version, cost_net from offers
    where vendor_id = ${cli.vendor.vendorId} order by id`;
  const stored = await readStored();
  const dry = await cli.importLines(
    [
      offerHeader,
      `${first}`.replace('10.25', '7.50'),
      `${second}`,
      `${third}`,
      'bad,,,1.00,false,1',
    ],
    '--dry-run',
  );
  expect(dry.exitCode).toBe(1);
  expect(dry.stdout).toMatch(/^would update oud-0 \(cost/m);
  expect(dry.stdout).toMatch(/^would create oud-1$/m);
  expect(dry.stdout).toMatch(/^5 +RawBrandName +required/m);
  expect(dry.stdout).toContain('Would create 1, update 1, skip 1; 1 failed.');
  expect(await readStored()).toEqual(stored);
});

test('lists in a table the rows that fail, and imports the others', async ({ cli }) => {
  const { exitCode, stdout } = await cli.importLines([
    offerHeader,
    'a,Brand,Oud,10.00,false,1',
    'b,Brand,Oud,10.001,false,1',
    ',Brand,Oud,10,false,1',
    'a,Brand,Oud,10,false,1',
    'c,,Oud,10,false,1',
  ]);
  expect(exitCode).toBe(1);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^ROW +FIELD +CODE +MESSAGE$/),
    expect.stringMatching(/^3 +cost +invalid_cell +10\.001 must be an amount/),
    expect.stringMatching(/^4 +vendorExternalId +required/),
    expect.stringMatching(/^5 +vendorExternalId +repeated +is that of row 2/),
    expect.stringMatching(/^6 +RawBrandName +required/),
    'Created 1, updated 0, skipped 0, failed 4.',
    '',
  ]);
  const unknown = await cli.importLines(['vendorExternalId,price', 'a,1']);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
});

test('reports the failures of each row of a stock push', async ({ cli }) => {
  await cli.importLines([offerHeader, ...offerRows(3)]);
  const rows = ['oud-0,true,9', 'nobody,true,1', 'oud-1,maybe,1', 'oud-2,false,4'];
  const pushed = await cli.run('stock', 'push', await cli.write('s.csv', stockHeader, ...rows));
  expect(pushed.exitCode).toBe(1);
  expect(pushed.stdout).toMatch(/^3 .*NOT_FOUND_VENDOR_OFFER/m);
  expect(pushed.stdout).toMatch(/^4 +declaredInStock +invalid_cell/m);
  expect(pushed.stdout).toMatch(/^5 +DeclaredStockQuantity/m);
  expect(pushed.stdout).toMatch(/^Pushed 1, failed 3\.$/m);
});

// D144. `push-stocks.test.ts` of the API has the pushes.
test('changes no operator’s offer of the same external id', async ({ cli, gateway }) => {
  const { sql } = gateway;
  const id = 'man-1795592838559';
  const { vendorId } = cli.vendor;
  const { token } = await newOperator(gateway);
  const body = { ...freeFormOffer, cost: 12, declaredStockQuantity: 1, vendorExternalId: id };
  const url = `/operator/v1/vendors/${vendorId}/offers`;
  const entered = textOf(await call(gateway, 'POST', url, { token, body }), 'id');
  const stateOfEntered = () => sql`select * from offers where id = ${entered}`;
  const before = await stateOfEntered();
  const importRow = async (stock: number) =>
    (await cli.importLines([offerHeader, `${id},B,Other name,12.00,false,${stock}`])).stdout;
  expect(await importRow(5)).toMatch(/^Created 1, updated 0/);
  expect(await importRow(7)).toMatch(/^Created 0, updated 1/);
  const prices = ['vendorExternalId,cost,costIsVatInclusive', `${id},13.00,false`];
  const file = await cli.write('prices.csv', ...prices);
  expect((await cli.run('prices', 'push', file, '--field', 'cost')).exitCode).toBe(0);
  expect(await stateOfEntered()).toEqual(before);
});

test('names the page that says what to do where an error says nothing itself', async ({ cli }) => {
  const { exitCode, stderr } = await cli.run('offers', 'show', unknownId());
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^NOT_FOUND_VENDOR_OFFER: .* says what to do at \/docs\/errors#not_found_vendor_offer\. \(request /,
  );
});
