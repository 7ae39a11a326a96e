import { expect } from 'vitest';
import { cliTest as test, jsonLines } from './cli-fixture.ts';

const header =
  'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,declaredStockQuantity';
const rowsOf = (count: number, cost = (index: number): string => `${100 + index}.25`) =>
  Array.from(
    { length: count },
    (_, index) =>
      `oud-${index},Brand,"Oud, ${index}",${cost(index)},${index % 2 === 0},${index % 3}`,
  );

test('an import sends what differs only, and a dry run nothing', async ({ cli, gateway }) => {
  const sent: string[] = [];
  gateway.app.server.on('request', ({ method, url }: { method: string; url: string }) => {
    if (method !== 'GET' && !url.startsWith('/api/v1/auth')) sent.push(`${method} ${url}`);
  });
  const file = await cli.write('offers.csv', header, ...rowsOf(30));
  const dry = await cli.run('offers', 'import', file, '--dry-run');
  expect(dry).toMatchObject({ exitCode: 0, stderr: '' });
  expect(dry.stdout).toContain('Would create 30, update 0, skip 0; 0 failed.');
  expect(sent).toEqual([]);

  const first = await cli.run('offers', 'import', file);
  expect(first).toMatchObject({
    exitCode: 0,
    stdout: 'Created 30, updated 0, skipped 0, failed 0.\n',
  });
  expect(sent.splice(0)).toHaveLength(30);

  const again = await cli.run('offers', 'import', file);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 30, failed 0.\n');
  expect(sent).toEqual([]);

  const [, ...rest] = rowsOf(30, (index) => (index < 4 ? '7.5' : `${100 + index}.25`));
  const changed = await cli.write('offers.csv', header, ...rowsOf(1), ...rest);
  const third = await cli.run('offers', 'import', changed, '--json');
  expect(jsonLines(third.stdout).at(-1)).toEqual({
    summary: { created: 0, updated: 3, skipped: 27, failed: 0, left: 0, dryRun: false },
  });
  expect(sent).toHaveLength(3);
});

test('the rows that fail are in a table, and the others are imported', async ({ cli }) => {
  const file = await cli.write(
    'offers.csv',
    header,
    'a,Brand,Oud,10.00,false,1',
    'b,Brand,Oud,10.001,false,1',
    ',Brand,Oud,10,false,1',
    'a,Brand,Oud,10,false,1',
    'c,,Oud,10,false,1',
  );
  const { exitCode, stdout } = await cli.run('offers', 'import', file);
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
  const unknown = await cli.write('unknown.csv', 'vendorExternalId,price', 'a,1');
  expect(await cli.run('offers', 'import', unknown)).toMatchObject({ exitCode: 2, stdout: '' });
});

test('stock push reports the failures of each row', async ({ cli }) => {
  const offers = await cli.write('offers.csv', header, ...rowsOf(3));
  await cli.run('offers', 'import', offers);
  const stock = await cli.write(
    'stock.csv',
    'vendorExternalId;declaredInStock;declaredStockQuantity',
    'oud-0;true;9',
    'nobody;true;1',
    'oud-1;maybe;1',
    'oud-2;false;4',
  );
  const pushed = await cli.run('stock', 'push', stock);
  expect(pushed.exitCode).toBe(1);
  expect(pushed.stdout).toMatch(/^3 .*NOT_FOUND_VENDOR_OFFER/m);
  expect(pushed.stdout).toMatch(/^4 +declaredInStock +invalid_cell/m);
  expect(pushed.stdout).toMatch(/^5 +DeclaredStockQuantity/m);
  expect(pushed.stdout).toMatch(/^Pushed 1, failed 3\.$/m);
});
