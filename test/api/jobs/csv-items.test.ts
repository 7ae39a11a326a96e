import { assert, array, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/api-error.ts';
import { csvReader } from '../../../api/jobs/csv-items.ts';
import { UnreadableItem } from '../../../api/jobs/job-item-parsers.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
// How a CSV body is read (D147, D152, D156). The single calls have the rules of its rows.

/** The items of a file that arrives in pieces of this length. */
function read(
  text: string,
  { kind = 'createOffers', pieceLength = 7 }: { kind?: JobKind; pieceLength?: number } = {},
) {
  const reader = csvReader(kind);
  for (let at = 0; at < text.length; at += pieceLength)
    reader.write(text.slice(at, at + pieceLength));
  return reader
    .end()
    .map((item) =>
      item instanceof UnreadableItem ? item.errors.map(({ message }) => message) : item,
    );
}

/** The entries of the refusal of a whole file, as `field code message`. */
function refusalOf(text: string): readonly string[] {
  try {
    read(text, { pieceLength: 4096 });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { errors } = error.details as { errors: Record<string, string>[] };
    return errors.map(({ field, code, message }) => `${field} ${code}: ${message}`);
  }
  return [];
}

const one = { vendorSku: 'a', cost: 1.5 };
const spreadsheet = 'was changed by a spreadsheet; format the column as text';
const notNumber = 'is not a number such as 12.50, without a currency or spaces';

test.for([
  ['commas', 'vendorSku,cost\na,1.5'],
  ['semicolons', 'vendorSku;cost\na;1.5'],
  ['tabs', 'vendorSku\tcost\r\na\t1.5\r\n'],
  ['a named separator', 'sep=|\nvendorSku|cost\na|1.5\n'],
  ['a named semicolon, with separators behind it', 'sep=;;;\nvendorSku;cost\na;1.5'],
  ['line ends of carriage returns', 'vendorSku,cost\ra,1.5\r'],
  ['blanks around names', ' vendorSku , cost \na,1.5'],
  ['rows of separators', ',\nvendorSku,cost\n,\n\na,1.5\n,,,\n"",""\n'],
  ['columns without a name', 'vendorSku,,cost,,\na,,1.5,,\n'],
  ['separators in a quoted text', '"vendorSku","cost"\n"a","1.5"\n'],
] as const)('reads a file with %s', ([_what, text]) => {
  for (const pieceLength of [1, 3, 1000]) expect(read(text, { pieceLength })).toEqual([one]);
});

const digits = { barcode: '0012345678905' };

test.for<[what: string, text: string, items: readonly object[]]>([
  ['missing last cells as omitted', 'vendorSku,cost,barcode\na,1.5\n', [one]],
  ['an empty cell as omitted', 'vendorSku,cost\n,1.5\n', [{ cost: 1.5 }]],
  ['a blank text', 'cost,barcode\n1.5,""\n', [{ cost: 1.5, barcode: '' }]],
  ['digits as a formula', `barcode\n="${digits.barcode}"\n`, [digits]],
  ['digits as a quoted formula', `barcode\n"=""${digits.barcode}"""\n`, [digits]],
  ['doubled quotes', 'vendorSku\n"a ""b"", c\nd"\n', [{ vendorSku: 'a "b", c\nd' }]],
  ['a quote within a text', 'cost,vendorSku\n1.5,5" wide\n', [{ cost: 1.5, vendorSku: '5" wide' }]],
  // Only the separator of the file begins a cell, and so a quoted text.
  ['a quote after a comma', 'vendorSku;cost\na,"b;1\n', [{ vendorSku: 'a,"b', cost: 1 }]],
  ['a quote after |', 'sep=|\ncost|"vendorSku"\n1|"x\ny"\n', [{ vendorSku: 'x\ny', cost: 1 }]],
])('reads %s', ([_what, text, items]) => {
  for (const pieceLength of [1, 3, 1000]) expect(read(text, { pieceLength })).toEqual(items);
});

test.for([
  ['cost', '12,50', '12,50 has a decimal comma; write 12.50'],
  ['cost', '1.250,50', '1.250,50 has a decimal comma; write 1250.50'],
  ['cost', '1.25E+03', `1.25E+03 ${spreadsheet}`],
  ['cost', '12 SAR', `12 SAR ${notNumber}`],
  ['barcode', '6.29104E+12', `6.29104E+12 ${spreadsheet}`],
  ['vendorSku', '1,2E+10', `1,2E+10 ${spreadsheet}`],
  ['saveAsDraft', 'yes', 'yes is neither true nor false'],
  ['costIsVatInclusive', 'net', 'net is neither true nor false (false: net, true: with VAT)'],
  ['cost', 'x'.repeat(150), `${'x'.repeat(100)}… ${notNumber}`],
])('fails a row with the %s %s, and names row, column, value and what to do', ([...cells]) => {
  const [column, cell, message] = cells;
  expect(read(`${column};rawSizeMl\n5;1\n${cell};1\n`)[1]).toEqual([
    `row 3, column ${column}: ${message}`,
  ]);
});

test('reads the rows beside a failed one', () => {
  const rows = ['a,1.5', 'b,1,more', '"c"x,1', ',1,,', 'd,"1', 'e,2', 'f,1', 'a,1.5'];
  expect(read(`vendorSku,cost\n${rows.join('\n')}\n`)).toEqual([
    one,
    ['row 3: has more cells than the header row'],
    ['row 4, column vendorSku: has a text behind its closing quote; double a quote within a text'],
    { cost: 1 },
    ['row 6: is longer than 64 KiB, or has a quote without an end'],
    { vendorSku: 'e', cost: 2 },
    { vendorSku: 'f', cost: 1 },
    one,
  ]);
  expect(read('vendorSku,,cost\na,x,1.5\n')).toEqual([
    ['row 2, column 2: has a value in a column without a name'],
  ]);
});

test('fails a row of more than 64 KiB alone, with a quote or without', () => {
  for (const begin of ['', '"'])
    expect(
      read(`vendorSku,cost\n${begin}${'x'.repeat(70_000)}\na,1.5\n`, { pieceLength: 5000 }),
    ).toEqual([['row 2: is longer than 64 KiB, or has a quote without an end'], one]);
  const vendorSku = 'x'.repeat(65_000);
  expect(read(`vendorSku\n${vendorSku}\n`, { pieceLength: 5000 })).toEqual([{ vendorSku }]);
});

// The quote is given up after 64 KiB, also within the end of its line.
test.for([65_534, 65_535, 65_536, 65_537])(
  'counts one row for a line of %i characters after an open quote',
  (length) => {
    expect(
      read(`vendorSku,cost\r\n"${'x'.repeat(length)}\r\na,b\r\n`, { pieceLength: 4096 }),
    ).toEqual([
      ['row 2: is longer than 64 KiB, or has a quote without an end'],
      [`row 3, column cost: b ${notNumber}`],
    ]);
  },
);

test.for([
  ['', 'Body too_few: has no header row with the names of fields'],
  [',,,\n', 'Body too_few: has no header row with the names of fields'],
  ['cost,cost\n1,2', 'Body malformed: names cost twice in its header row'],
  [`${'x'.repeat(70_000)},cost\n`, 'Body too_long: has a header row of more than 64 KiB'],
  [`${','.repeat(250)}cost\n`, 'Body too_many: has more than 200 columns'],
] as const)('refuses the whole file %#', ([text, expected]) => {
  expect(refusalOf(text)).toEqual([expected]);
});

test('names an unknown column, with the columns that may be sent', () => {
  const [first] = refusalOf('vendorSku,price\na,1\n');
  expect(first).toMatch(/^Price unknown_field: is no field of these items; .*\bvendorSku\b/);
  expect(() => read('offerId,vendorSku\n', { kind: 'createOffers' })).toThrow(ApiError);
  expect(read('offerId,vendorSku\n', { kind: 'updateOffers' })).toEqual([]);
});

const write = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('reads any quoted texts as they were written, however the file is cut into pieces', () => {
  const cell = string({ unit: 'binary', maxLength: 12 });
  assert(
    property(
      array(cell, { minLength: 1, maxLength: 8 }),
      integer({ min: 1, max: 40 }),
      (cells, pieceLength) => {
        const rows = cells.map((text) => `${write(`.${text}`)},x`);
        const items = read(`rawDescription,vendorSku\n${rows.join('\n')}`, { pieceLength });
        expect(items).toEqual(
          cells.map((text) => ({ rawDescription: `.${text}`, vendorSku: 'x' })),
        );
      },
    ),
  );
});

/** A file of rows whose quotes all stay open. */
const openQuotes = (rows: number): string => `vendorSku,cost\n${'x","\n'.repeat(rows)}`;

test('fails a row whose quote stays open alone, and refuses a file with more than a hundred', () => {
  expect(read(openQuotes(100))).toEqual(Array.from({ length: 100 }, () => [expect.anything()]));
  expect(refusalOf(openQuotes(101))).toEqual([
    'Body malformed: has more than 100 quotes without an end; double a quote within a text',
  ]);
  expect(refusalOf(openQuotes(400_000))).toHaveLength(1);
});

test.for([',', '"', '"x\n', 'x\n', '="'])(
  'reads 2 MiB of %j in time that grows with their length only',
  (piece) => {
    const text = `vendorSku,cost\n${piece.repeat((2 * 1024 * 1024) / piece.length)}`;
    const start = performance.now();
    read(text, { pieceLength: 16_384 });
    expect(performance.now() - start).toBeLessThan(10_000);
  },
);
