import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cliTest as test, jsonLines, type CommandLine } from './cli-fixture.ts';

const header = 'vendorExternalId,rawBrandName,rawProductName,barcode,cost,costIsVatInclusive';
const line = (id: string, barcode = '', cost = '100.00') =>
  `${id},Maison Dahab,Oud,${barcode},${cost},false`;

/** Writes a file of these bytes, and returns its path. */
async function writeBytes({ folder }: CommandLine, bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'file.csv');
  await writeFile(file, bytes);
  return file;
}

const arabic = `${header}\nar-1,دار العود,عود ملكي,,100.00,false\n`;
/** `دار العود` in windows-1256. */
const windows1256 = Buffer.concat([
  Buffer.from(`${header}\nar-1,`),
  Buffer.of(0xcf, 0xc7, 0xd1, 0x20, 0xc7, 0xe1, 0xda, 0xe6, 0xcf),
  Buffer.from(',Oud,,100.00,false\n'),
]);

// D145.
test.for([
  ['offers', 'import'],
  ['stock', 'push'],
  ['prices', 'push', '--field', 'cost'],
])(
  '%s %s refuses other encodings than UTF-8 before it sends anything',
  async (command, { cli }) => {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
    const cases = [
      [windows1256, /looks like windows-1256\. Save the file as UTF-8/],
      [Buffer.from(`${header}\nw-1,Lanc\u00f4me,Oud,,1,false\n`, 'latin1'), /windows-1252/],
      [Buffer.from(arabic, 'utf16le'), /UTF-16LE/],
    ] as const;
    for (const [bytes, message] of cases) {
      const [first = '', second = '', ...rest] = command;
      const ended = await cli.run(first, second, await writeBytes(cli, bytes), ...rest);
      expect(ended).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    }
  },
);

test('UTF-8 with a mark and UTF-16 with its mark store the text that they have', async ({
  cli,
  gateway,
}) => {
  const little = Buffer.from(`\uFEFF${arabic}`, 'utf16le');
  const files = [
    little,
    Buffer.from(little).swap16(),
    Buffer.from(`\uFEFF${arabic}`),
    Buffer.from(arabic),
  ];
  for (const [index, bytes] of files.entries()) {
    const { stdout } = await cli.run('offers', 'import', await writeBytes(cli, bytes));
    const isFirst = index === 0;
    expect(stdout).toBe(
      `Created ${isFirst ? 1 : 0}, updated 0, skipped ${isFirst ? 0 : 1}, failed 0.\n`,
    );
  }
  const [offer] = await gateway.sql<[{ rawBrandName: string }]>`
    select raw_brand_name from offers where vendor_id = ${cli.vendor.vendorId}`;
  expect(offer.rawBrandName).toBe('دار العود');
});

// D147.
const forms: readonly (readonly [string, readonly string[]])[] = [
  ['semicolons', [header, line('f-1')].map((text) => text.replaceAll(',', ';'))],
  ['tabs', [header, line('f-1')].map((text) => text.replaceAll(',', '\t'))],
  ['sep=;', ['sep=;', ...[header, line('f-1')].map((text) => text.replaceAll(',', ';'))]],
  ['sep=|', ['sep=|', ...[header, line('f-1')].map((text) => text.replaceAll(',', '|'))]],
  ['rows of separators', [',,,,,', header, ',,,,,', line('f-1'), ',,,,,', ', ,,,,']],
  ['unnamed empty columns', [`${header},,`, `${line('f-1')},,`]],
  ['missing last cells', [`${header},rawDescription,vendorSku`, line('f-1')]],
  ['carriage returns', [`${header}\r`, `${line('f-1')}\r`]],
];
test.for(forms)('%s are read', async ([, lines], { cli }) => {
  const { stdout, stderr } = await cli.run(
    'offers',
    'import',
    await cli.write('form.csv', ...lines),
  );
  expect({ stdout, stderr }).toEqual({
    stdout: 'Created 1, updated 0, skipped 0, failed 0.\n',
    stderr: '',
  });
});

test('a formula of text is its text, and other leading zeros of a GTIN change nothing', async ({
  cli,
  gateway,
}) => {
  const cell = '="0012345678905"';
  const first = await cli.run(
    'offers',
    'import',
    await cli.write('gtin.csv', header, line('g-1', cell), line('g-2', '"=""0012345678912"""')),
  );
  expect(first.stdout).toBe('Created 2, updated 0, skipped 0, failed 0.\n');
  const barcodes = await gateway.sql<{ barcode: string }[]>`
    select barcode from offers where vendor_id = ${cli.vendor.vendorId} order by vendor_external_id`;
  expect(barcodes.map(({ barcode }) => barcode)).toEqual(['0012345678905', '0012345678912']);
  // D143.
  const lost = await cli.write(
    'lost.csv',
    header,
    line('g-1', '12345678905'),
    line('g-2', '00012345678912'),
  );
  const again = await cli.run('offers', 'import', lost);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 2, failed 0.\n');
});

test('a row with a value outside the named columns fails, and the others are read', async ({
  cli,
}) => {
  const file = await cli.write(
    'wide.csv',
    `${header},`,
    `${line('w-1')},`,
    `${line('w-2')},note`,
    `${line('w-3')},,more`,
    line('w-4', '', '12,50'),
  );
  const { stdout } = await cli.run('offers', 'import', file);
  expect(stdout).toMatch(/^3 +unnamed_column +note is in column 7, which has no name$/m);
  expect(stdout).toMatch(/^4 +too_many_cells +the row has 8 cells, the header row 7;/m);
  expect(stdout).toMatch(/^5 .*50 must be true or false/m);
  expect(stdout).toMatch(/^Created 1, .*failed 3\.$/m);
});

test.for(['', '\n\n', `${header}\n`, `${header}\n,,,,,\n\n`, 'sep=;\n'])(
  'a file without a row is refused: %j',
  async (text, { cli }) => {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
    const file = await writeBytes(cli, Buffer.from(text));
    expect(await cli.run('offers', 'import', file)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('has no rows'),
    });
  },
);

test('3,000 decimal commas print one line with a value, the count and what to write', async ({
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
])('the %s %s fails its row and says what to do', async ([field, value, message], { cli }) => {
  const file = await cli.write(
    'cells.csv',
    `vendorExternalId;rawBrandName;rawProductName;costIsVatInclusive;${field}`,
    `c-1;Brand;Oud;false;${value}`,
  );
  const { exitCode, stdout } = await cli.run('offers', 'import', file, '--json');
  expect(exitCode).toBe(1);
  expect(jsonLines(stdout)[0]).toMatchObject({ row: 2, reasons: [{ field, message }] });
});

test('a text that only resembles a number of a spreadsheet stays', async ({ cli }) => {
  const file = await cli.write(
    'texts.csv',
    'vendorExternalId,vendorSku,rawBrandName,rawProductName,cost,costIsVatInclusive',
    '1E5,12E3,4E+11 Parfums,"5"" bottle",1,false',
  );
  const { stdout } = await cli.run('offers', 'import', file);
  expect(stdout).toBe('Created 1, updated 0, skipped 0, failed 0.\n');
});

test('a file that does not exist, and a folder, are refused with their names', async ({ cli }) => {
  for (const file of [join(cli.folder, 'none.csv'), cli.folder])
    expect(await cli.run('offers', 'import', file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(file),
    });
});
