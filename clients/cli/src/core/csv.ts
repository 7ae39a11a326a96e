import { readCell, shortened, type CellKind, type CellValue } from './cells.ts';
import {
  columnsMax,
  isBlank,
  openQuotesMax,
  readCells,
  separatorLine,
  separators,
  splitRecords,
  type CsvRecord,
} from './csv-records.ts';
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

/** The columns of a file: the separator, and the name of each; '' for one without a name. */
type Header = { readonly separator: string; readonly names: readonly string[] };

/** The names of a header row. */
function namesOf(header: string, separator: string): readonly string[] {
  const { cells, rest } = readCells(header, separator, columnsMax);
  if (!isBlank(rest, separator)) throw usageError(`The file has more than ${columnsMax} columns`);
  return cells.map(({ text }) => (text ?? '').trim());
}

/** The number of columns up to the last one with a name. */
const widthOf = ({ names }: Header): number => names.findLastIndex((name) => name !== '') + 1;

/** Finds the columns of a header row. Throws for unknown and for repeated ones. */
function readHeader(header: string, given: string | null, columns: Columns): Header {
  const knownIn = ({ names }: Header): number =>
    names.filter((name) => Object.hasOwn(columns, name)).length;
  const [found = { separator: ',', names: [] }] = (given === null ? separators : [given])
    .map((separator) => ({ separator, names: namesOf(header, separator) }))
    .toSorted((one, other) => knownIn(other) - knownIn(one) || widthOf(other) - widthOf(one));
  const named = found.names.filter((name) => name !== '');
  const unknown = named.filter((name) => !Object.hasOwn(columns, name));
  if (unknown.length > 0)
    throw usageError(
      `The file has unknown columns: ${unknown.map(shortened).join(', ')}`,
      `Known are ${Object.keys(columns).join(', ')}.`,
    );
  const repeated = named.find((name, index) => named.indexOf(name) < index);
  if (repeated !== undefined) throw usageError(`The file has the column ${repeated} twice`);
  return found;
}

const unreadable = 'the row is longer than 64 KiB, or has a quote without an end';
const textAfterQuote = 'has a text behind its closing quote; double a quote within a text';

/** Why a cell of a column without a name cannot be ignored. */
const unnamed = (text: string, index: number): Reason => {
  const message = `${shortened(text)} is in column ${index + 1}, which has no name`;
  return { field: null, code: 'unnamed_column', message };
};

function toRow(columns: Columns, { separator, names }: Header, { row, text }: CsvRecord): CsvRow {
  const values: Record<string, CellValue> = {};
  const reasons: Reason[] = [];
  const failed = (field: string | null, code: string, message: string): void =>
    void reasons.push({ field, code, message });
  if (text === null) failed(null, 'malformed', unreadable);
  const { cells, rest } = readCells(text ?? '', separator, names.length);
  for (const [index, cell] of cells.entries()) {
    const field = names[index] ?? '';
    if (cell.text === null) failed(field === '' ? null : field, 'malformed', textAfterQuote);
    // A blank cell is one that is left out.
    if (cell.text === null || cell.text.trim() === '') continue;
    if (field === '') {
      reasons.push(unnamed(cell.text, index));
      continue;
    }
    const kind = columns[field] ?? 'text';
    // Blanks within quotes belong to a text only: an id with them would be another id.
    const read = readCell(kind, kind === 'text' ? cell.text : cell.text.trim());
    if ('value' in read) values[field] = read.value;
    else reasons.push({ field, ...read.problem });
  }
  if (!isBlank(rest, separator)) {
    const count = names.length + readCells(rest, separator, Number.POSITIVE_INFINITY).cells.length;
    const message = `the row has ${count} cells, the header row ${names.length}`;
    failed(null, 'too_many_cells', `${message}; quote a cell that has a separator`);
  }
  return { row, values, reasons };
}

function refuseQuotes(): never {
  throw usageError(
    `The file has more than ${openQuotesMax} quotes without an end`,
    'Double a quote within a text.',
  );
}

/** The rows of a text. `row` leaves out the line of the separator, which spreadsheets hide. */
function rowsOf(text: string, columns: Columns): readonly CsvRow[] | null {
  const rows: CsvRow[] = [];
  let given: string | null = null;
  let header: Header | null = null;
  const records = splitRecords((record) => {
    const line = record.text;
    const row = given === null ? record.row : record.row - 1;
    if (header !== null) {
      const { separator } = header;
      if (line === null || !isBlank(line, separator))
        rows.push(toRow(columns, header, { row, text: line }));
      return;
    }
    if (line === null) throw usageError('The file has a header row of more than 64 KiB');
    const [, named] = (record.row === 1 ? separatorLine.exec(line) : null) ?? [];
    if (named !== undefined) given = named;
    else if (!separators.some((each) => isBlank(line, each)))
      header = readHeader(line, given, columns);
    const separator = header?.separator ?? given;
    if (separator !== null) records.separateBy(separator);
  }, refuseQuotes);
  records.write(text);
  records.end();
  return header === null ? null : rows;
}

/** The rows of a CSV file as spreadsheets write it. */
export async function readCsv(file: string, columns: Columns): Promise<readonly CsvRow[]> {
  const rows = rowsOf(await readText(file), columns);
  if (rows === null || rows.length === 0)
    throw usageError(
      `The file ${file} has no rows`,
      `Its first row names the columns, such as ${Object.keys(columns).slice(0, 2).join(',')}; the others have the values.`,
    );
  return rows;
}
