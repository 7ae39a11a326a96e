import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import { expect, test as plain } from 'vitest';
import { ApiError } from '../../../api/http/api-error.ts';
import { createBodyDecoder } from '../../../api/http/bodies/body-text.ts';
import { csvReader } from '../../../api/jobs/csv-items.ts';
import { UnreadableItem } from '../../../api/jobs/job-item-parsers.ts';
import { readCsv } from '../../../clients/cli/src/core/csv.ts';
import { CliError } from '../../../clients/cli/src/core/exit.ts';
import { offerColumns } from '../../../clients/cli/src/offers/plan-import.ts';
import { newFolder } from '../../support/folder.ts';

// The command line and the jobs of the API read a file by one rule (D145, D147).

const folder = join(import.meta.dirname, 'files');
const failed = 'a row that cannot be read';
const refused = 'a refused file';

/** Whether create-offer may take the numbers of an item: the command line judges them itself. */
const hasNumbers = ({ cost = 0, declaredStockQuantity: stock = 0 }: Numbers): boolean =>
  cost < 1e13 && Number(cost.toFixed(2)) === cost && Number.isSafeInteger(stock);
type Numbers = { readonly cost?: number; readonly declaredStockQuantity?: number };

/** The rows as a job of the API reads them, without blank texts, which the command line ignores. */
function readByJob(bytes: Uint8Array): unknown {
  let items: readonly unknown[];
  try {
    const reader = csvReader('createOffers');
    const decode = createBodyDecoder();
    reader.write(decode(bytes));
    reader.write(decode());
    items = reader.end();
  } catch (error) {
    if (error instanceof ApiError) return refused;
    throw error;
  }
  if (items.length === 0) return refused;
  return items.map((item) => {
    if (item instanceof UnreadableItem || !hasNumbers(item as Numbers)) return failed;
    const fields = Object.entries(item as object).filter(
      ([, value]) => typeof value !== 'string' || value.trim() !== '',
    );
    return Object.fromEntries(fields);
  });
}

async function readByCommandLine(file: string): Promise<unknown> {
  try {
    const rows = await readCsv(file, offerColumns);
    return rows.map(({ values, reasons }) => (reasons.length > 0 ? failed : values));
  } catch (error) {
    if (error instanceof CliError) return refused;
    throw error;
  }
}

plain('splits records by one file, and the command line has a copy of it', async () => {
  const [ofApi, ofCommandLine] = ['api/jobs', 'clients/cli/src/core'].map((path) =>
    readFile(join(import.meta.dirname, '../../..', path, 'csv-records.ts'), 'utf8'),
  );
  expect(await ofCommandLine).toBe(await ofApi);
});

plain.for(readdirSync(folder))('reads %s alike', async (name) => {
  const file = join(folder, name);
  expect(await readByCommandLine(file)).toEqual(readByJob(await readFile(file)));
});

const offer = { rawBrandName: 'B', rawProductName: 'P', costIsVatInclusive: false };

plain('reads line ends of two kinds, and the blanks around cells', async () => {
  const rows = await readByCommandLine(join(folder, 'crlf-header-lf-rows.csv'));
  expect(rows).toEqual([
    { vendorExternalId: 'a1', ...offer, cost: 10 },
    { vendorExternalId: 'a2', ...offer, cost: 11 },
  ]);
  expect(readByJob(await readFile(join(folder, 'spaces.csv')))).toEqual([
    {
      ...offer,
      vendorExternalId: 'sp-3',
      rawBrandName: 'Dahab',
      rawProductName: 'Oud',
      cost: 10,
    },
  ]);
});

const header = 'vendorExternalId,rawBrandName,cost,declaredStockQuantity,costIsVatInclusive';
const withHeader = (...rows: readonly string[]): string => [header, ...rows].join('\n');

plain.for<[what: string, text: string, rows: unknown]>([
  ['quoted blanks', withHeader('" a ", "B, C" ," 5 ",3,false'), [{ rawBrandName: 'B, C' }]],
  ['a no-break space', withHeader('\u00a0a\u00a0,B, 5\u00a0,3,false'), [{ cost: 5 }]],
  ['numbers of programs', withHeader('a,B,5.000,3.0,TRUE'), [{ declaredStockQuantity: 3 }]],
  ['quoted empty cells', withHeader('"a","","","",""'), [{ vendorExternalId: 'a' }]],
  ['a formula with a comma', withHeader('="a,b",B,1,1,false'), [{ vendorExternalId: 'a,b' }]],
  ['all line ends', `${header}\r\na,B\rb,B\nc,B\r\n`, [{}, {}, {}]],
  ['an open quote', withHeader('a,"B', 'b,B'), [failed, { vendorExternalId: 'b' }]],
  ['a text after a quote', withHeader('a,"B"C', 'b,B'), [failed, { vendorExternalId: 'b' }]],
  ['a long row', withHeader(`a,${'x'.repeat(70_000)}`, 'b,B'), [failed, { rawBrandName: 'B' }]],
])('reads %s alike', async ([, text, rows], { onTestFinished }) => {
  const file = join(await newFolder(onTestFinished), 'file.csv');
  await writeFile(file, text);
  const read = await readByCommandLine(file);
  expect(read).toEqual(readByJob(Buffer.from(text)));
  expect(read).toMatchObject(rows as object);
});

plain('reads any file alike', async ({ onTestFinished }) => {
  const file = join(await newFolder(onTestFinished), 'file.csv');
  const texts = ['a', 'b-1', '10', '1.50', '1,5', '7E+12', 'false', 'x'.repeat(40_000)];
  const signs = [',', ';', '\t', '"', '""', '=', '="', ' ', '\u00a0', '\n', '\r\n', '\r'];
  const piece = constantFrom(...texts, ...signs, ',', '\n');
  const line = array(piece, { maxLength: 40 });
  const start = constantFrom(header, header.replaceAll(',', ';'), `sep=;\n${header}`, '');
  const any = string({ unit: 'grapheme', maxLength: 20 });
  await assert(
    asyncProperty(start, constantFrom('\n', '\r\n', '\r'), line, any, async (...parts) => {
      const [first, lineEnd, pieces, rest] = parts;
      const text = Buffer.from(`${first}${lineEnd}${pieces.join('')}${rest}`);
      await writeFile(file, text);
      expect(await readByCommandLine(file)).toEqual(readByJob(text));
    }),
    { numRuns: 500 },
  );
});
