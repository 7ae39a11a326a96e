import { CsvError, parse } from 'csv-parse/sync';
import { cellText, readCell, shortened, type CellKind, type CellValue } from './cells.ts';
import { usageError } from './exit.ts';
import type { Reason } from './explain.ts';
import { readText } from './read-text.ts';

export type Columns = Readonly<Record<string, CellKind>>;

/** A record: `row` is its row in a spreadsheet. */
export type CsvRow = {
  readonly row: number;
  /** The cells that are not blank. */
  readonly values: Readonly<Record<string, CellValue>>;
  readonly reasons: readonly Reason[];
};

/** The names of the columns; an empty one for a column without a name. */
type Header = readonly string[];

function toRow(columns: Columns, header: Header, row: number, cells: readonly string[]): CsvRow {
  const values: Record<string, CellValue> = {};
  const reasons: Reason[] = [];
  for (const [index, text] of cells.entries()) {
    if (text === '') continue;
    const field = header[index] ?? null;
    if (field === null) {
      const message = `the row has ${cells.length} cells, the header row ${header.length}; quote a cell that has a separator`;
      reasons.push({ field, code: 'too_many_cells', message });
      break;
    }
    if (field === '') {
      const message = `${shortened(text)} is in column ${index + 1}, which has no name`;
      reasons.push({ field: null, code: 'unnamed_column', message });
      continue;
    }
    const read = readCell(columns[field] ?? 'text', text);
    if ('value' in read) values[field] = read.value;
    else reasons.push({ field, ...read.problem });
  }
  return { row, values, reasons };
}

function checkHeader(columns: Columns, header: Header): void {
  const named = header.filter((name) => name !== '');
  const unknown = named.filter((name) => !Object.hasOwn(columns, name));
  if (unknown.length > 0)
    throw usageError(
      `The file has unknown columns: ${unknown.map(shortened).join(', ')}`,
      `Known are ${Object.keys(columns).join(', ')}.`,
    );
  const repeated = named.find((name, index) => named.indexOf(name) < index);
  if (repeated !== undefined) throw usageError(`The file has the column ${repeated} twice`);
}

const separators = [',', ';', '\t'] as const;

/** The separator that the first line names as `sep=X`, or the most frequent one of the header. */
function splitSeparator(text: string): { readonly separator: string; readonly rows: string } {
  const named = /^"?sep=([^"\r\n])"?[;,\t]*(?:\r\n|\r|\n|$)/i.exec(text);
  if (named !== null) return { separator: named[1] ?? ',', rows: text.slice(named[0].length) };
  const header = text.split(/[\r\n]/).find((line) => /[^\s,;"]/.test(line)) ?? '';
  const counts = separators.map((separator) => header.split(separator).length);
  const most = counts.indexOf(Math.max(...counts));
  return { separator: separators[most] ?? ',', rows: text };
}

/** The records with a cell that is not blank, each with its row in a spreadsheet. */
function recordsOf(file: string, text: string) {
  const { separator, rows } = splitSeparator(text);
  try {
    const records: readonly (readonly string[])[] = parse(rows, {
      trim: true,
      delimiter: separator,
      relax_column_count: true,
      // `="0012"` has quotes within a cell.
      relax_quotes: true,
    });
    return records
      .map((cells, index) => ({ row: index + 1, cells: cells.map(cellText) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''));
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${file} is not CSV: ${error.message}`);
    throw error;
  }
}

/** The rows of a CSV file as spreadsheets write it (D147). */
export async function readCsv(file: string, columns: Columns): Promise<readonly CsvRow[]> {
  const [header, ...records] = recordsOf(file, await readText(file));
  if (header !== undefined) checkHeader(columns, header.cells);
  if (header === undefined || records.length === 0)
    throw usageError(
      `The file ${file} has no rows`,
      `Its first row names the columns, such as ${Object.keys(columns).slice(0, 2).join(',')}; the others have the values.`,
    );
  return records.map(({ row, cells }) => toRow(columns, header.cells, row, cells));
}
