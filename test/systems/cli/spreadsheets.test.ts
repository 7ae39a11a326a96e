import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readCsv } from '../../../clients/cli/src/core/csv.ts';
import { offerColumns } from '../../../clients/cli/src/offers/plan-import.ts';
import { cliTest, jsonLines } from './cli-fixture.ts';

const header = 'vendorExternalId,rawBrandName,rawProductName,barcode,cost,costIsVatInclusive';
const line = (id: string, barcode = '', cost = '100.00') =>
  `${id},Maison Dahab,Oud,${barcode},${cost},false`;
const arabic = `${header}\nar-1,دار العود,عود ملكي,,100.00,false\n`;
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Gives each test `write`, which writes a file and returns its path. */
const test = cliTest.extend('write', ({ cli }) => async (content: string | Uint8Array) => {
  const file = join(cli.folder, 'file.csv');
  await writeFile(file, content);
  return file;
});

// D145. encoding.test.ts of the client has the other encodings.
test.for(['offers import', 'stock push', 'prices push --field cost'])(
  'refuses in %s UTF-16 without its mark before it sends anything',
  async (line, { cli, write }) => {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
    const file = await write(utf16(arabic));
    expect(await cli.run(...line.split(' '), file)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/UTF-16LE\. Save the file as UTF-8/),
    });
  },
);

const withSeparator = (separator: string): string =>
  `${header}\n${line('f-1')}`.replaceAll(',', separator);
const western = { vendorExternalId: 'f-1', rawBrandName: 'Maison Dahab', rawProductName: 'Oud' };
const ofArabic = {
  vendorExternalId: 'ar-1',
  rawBrandName: 'دار العود',
  rawProductName: 'عود ملكي',
};

test.for([
  ['UTF-8', Buffer.from(arabic), ofArabic],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${arabic}`), ofArabic],
  ['UTF-16 with its mark', utf16(`\uFEFF${arabic}`), ofArabic],
  ['UTF-16 with its mark, big-endian', utf16(`\uFEFF${arabic}`).swap16(), ofArabic],
  ['semicolons', withSeparator(';'), western],
  ['tabs', withSeparator('\t'), western],
  ['sep=;', `sep=;\n${withSeparator(';')}`, western],
  ['sep=|', `sep=|\n${withSeparator('|')}`, western],
  ['rows of separators', `,,,,,\n${header}\n,,,,,\n${line('f-1')}\n,,,,,\n, ,,,,`, western],
  ['unnamed empty columns', `${header},,\n${line('f-1')},,`, western],
  ['missing last cells', `${header},rawDescription,vendorSku\n${line('f-1')}`, western],
  ['carriage returns', `${header}\r\n${line('f-1')}\r\n`, western],
] as const)('reads a file with %s (D147)', async ([, content, names], { write }) => {
  const values = { ...names, cost: 100, costIsVatInclusive: false };
  expect(await readCsv(await write(content), offerColumns)).toEqual([
    { row: expect.any(Number), values, reasons: [] },
  ]);
});

test('reads a text formula as text, and finds no change in other leading zeros of a GTIN', async ({
  cli,
  gateway,
}) => {
  const formulas = [line('g-1', '="0012345678905"'), line('g-2', '"=""0012345678912"""')];
  const first = await cli.importLines([header, ...formulas]);
  expect(first.stdout).toBe('Created 2, updated 0, skipped 0, failed 0.\n');
  const barcodes = await gateway.sql<{ barcode: string }[]>`
    select barcode from offers where vendor_id = ${cli.vendor.vendorId} order by vendor_external_id`;
  expect(barcodes.map(({ barcode }) => barcode)).toEqual(['0012345678905', '0012345678912']);
  // D143.
  const lost = [line('g-1', '12345678905'), line('g-2', '00012345678912')];
  const again = await cli.importLines([header, ...lost]);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 2, failed 0.\n');
});

test('fails a row with a value outside the named columns, and reads the others', async ({
  write,
}) => {
  const lines = [`${header},`, `${line('w-1')},`, `${line('w-2')},note`, `${line('w-3')},,more`];
  const file = await write([...lines, line('w-4', '', '12,50')].join('\n'));
  const rows = await readCsv(file, offerColumns);
  const reasonsOf = ({ row, reasons }: (typeof rows)[number]) => [
    row,
    ...reasons.flatMap(({ code, message }) => [code, message]),
  ];
  expect(rows.map(reasonsOf)).toEqual([
    [2],
    [3, 'unnamed_column', 'note is in column 7, which has no name'],
    [4, 'too_many_cells', expect.stringMatching(/^the row has 8 cells, the header row 7;/)],
    [5, 'invalid_cell', '50 must be true or false', 'unnamed_column', expect.any(String)],
  ]);
});

test.for(['', '\n\n', `${header}\n`, `${header}\n,,,,,\n\n`, 'sep=;\n'])(
  'refuses a file without a row: %j',
  async (text, { cli, write }) => {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
    expect(await cli.run('offers', 'import', await write(text))).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('has no rows'),
    });
  },
);

test('refuses a missing file and a folder, and names them', async ({ cli }) => {
  for (const file of [join(cli.folder, 'none.csv'), cli.folder])
    expect(await cli.run('offers', 'import', file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(file),
    });
});

test('prints one line for 3,000 decimal commas, with a value, the count and what to write', async ({
  cli,
}) => {
  const rows = Array.from({ length: 3000 }, (_, index) => `p-${index};${index + 1},50;false`);
  const file = await cli.write('prices.csv', 'vendorExternalId;cost;costIsVatInclusive', ...rows);
  const { exitCode, stdout } = await cli.run('prices', 'push', file, '--field', 'cost');
  expect(exitCode).toBe(1);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^ROW +COUNT +FIELD +CODE +MESSAGE$/),
    expect.stringMatching(
      /^2, 3, 4 and 2,997 more +3000 +cost +decimal_comma +1,50 has a decimal comma; write 1\.50$/,
    ),
    'Pushed 0, failed 3000.',
    '',
  ]);
  const json = await cli.run('prices', 'push', file, '--field', 'cost', '--json');
  expect(jsonLines(json.stdout)).toHaveLength(3001);
});

test.for([
  ['cost', '1250,50', '1250,50 has a decimal comma; write 1250.50'],
  ['cost', '1.250,50', '1.250,50 has a decimal comma; write 1250.50'],
  ['cost', '1 250,5', '1 250,5 has a decimal comma; write 1250.5'],
  ['cost', '1,250.50', '1,250.50 has a thousands separator; write 1250.50'],
  ['cost', '١٢٫٥٠', '١٢٫٥٠ has Arabic digits; write 12.50'],
  ['cost', '1.5E+03', '1.5E+03 was changed by a spreadsheet; format the column as text'],
  ['cost', 'SAR 12', 'SAR 12 must be an amount such as 1250.50'],
  ['rawSizeMl', '1,000', '1,000 has a thousands separator; write 1000'],
  ['barcode', '6.29104E+12', '6.29104E+12 was changed by a spreadsheet; format the column as text'],
  ['vendorSku', '6,29E+12', '6,29E+12 was changed by a spreadsheet; format the column as text'],
  ['cost', 'x'.repeat(1000), `${'x'.repeat(39)}… must be an amount such as 1250.50`],
])('fails a row with %s %s, and says what to do', async ([field, value, message], { write }) => {
  const [row] = await readCsv(await write(`vendorExternalId;${field}\nc-1;${value}`), offerColumns);
  expect(row).toMatchObject({ row: 2, reasons: [{ field, message }] });
});

test('keeps a text that only resembles a number of a spreadsheet', async ({ write }) => {
  const columns = 'vendorExternalId,vendorSku,rawBrandName,rawProductName';
  const [row] = await readCsv(
    await write(`${columns}\n1E5,12E3,4E+11 Parfums,"5"" bottle"`),
    offerColumns,
  );
  expect(Object.values(row?.values ?? {})).toEqual(['1E5', '12E3', '4E+11 Parfums', '5" bottle']);
});
