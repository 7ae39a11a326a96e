import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { usageError } from './exit.ts';
import type { Reason } from './explain.ts';

/** How a cell is read. Money is decimal text in SAR. */
export type CellKind = 'text' | 'money' | 'integer' | 'boolean';
export type Columns = Readonly<Record<string, CellKind>>;
export type CellValue = string | number | boolean;

/** A record: `row` is its row in a spreadsheet, where the header is row 1. */
export type CsvRow = {
  readonly row: number;
  /** The cells that are not blank. */
  readonly values: Readonly<Record<string, CellValue>>;
  readonly reasons: readonly Reason[];
};

const kinds: Readonly<Record<CellKind, readonly [RegExp, (text: string) => CellValue, string]>> = {
  text: [/^/, String, ''],
  // A number holds these amounts exactly.
  money: [/^\d{1,13}(\.\d{1,2})?$/, Number, 'must be an amount such as 1250.50'],
  integer: [/^\d{1,15}$/, Number, 'must be a whole number'],
  boolean: [/^(true|false)$/i, (text) => text.toLowerCase() === 'true', 'must be true or false'],
};

function toRow(
  columns: Columns,
  row: number,
  record: Readonly<Record<string, string | undefined>>,
): CsvRow {
  const values: Record<string, CellValue> = {};
  const reasons: Reason[] = [];
  for (const [field, text = ''] of Object.entries(record)) {
    const [pattern, read, message] = kinds[columns[field] ?? 'text'];
    if (text === '') continue;
    if (pattern.test(text)) values[field] = read(text);
    else reasons.push({ field, code: 'invalid_cell', message });
  }
  return { row, values, reasons };
}

function checkHeader(columns: Columns, header: readonly string[]): void {
  const unknown = header.filter((name) => !Object.hasOwn(columns, name));
  if (unknown.length > 0)
    throw usageError(
      `The file has unknown columns: ${unknown.map((name) => name || '(no name)').join(', ')}`,
      `Known are ${Object.keys(columns).join(', ')}.`,
    );
  if (new Set(header).size < header.length) throw usageError('The file has a column twice');
}

/** The rows of a CSV file. Commas separate the cells, or semicolons, as some spreadsheets write. */
export async function readCsv(file: string, columns: Columns): Promise<readonly CsvRow[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageError(`The file ${file} cannot be read: ${error.code ?? 'unknown reason'}`);
  });
  const [header = ''] = text.split('\n', 1);
  try {
    const records = parse(text, {
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      delimiter: header.includes(';') && !header.includes(',') ? ';' : ',',
      columns: (names: string[]) => {
        checkHeader(columns, names);
        return names;
      },
    }) as unknown as readonly {
      readonly record: Readonly<Record<string, string>>;
      readonly info: { readonly records: number; readonly empty_lines: number };
    }[];
    return records.map(({ record, info }) =>
      toRow(columns, info.records + info.empty_lines + 1, record),
    );
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${file} is not CSV: ${error.message}`);
    throw error;
  }
}
