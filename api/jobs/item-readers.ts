import { parse } from 'csv-parse';
import { validationErrors, type ApiError } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';
import { UnreadableItem } from './job-item-parsers.ts';

/** Takes the text of a body piece by piece, and adds its items to a list. */
export type ItemReader = { readonly write: (text: string) => void; readonly end: () => void };

/** The refusal of a whole body. */
export const malformedText = (message: string): ApiError =>
  validationErrors(fieldEntry([], 'malformed', message));

/** One JSON value on each line; empty lines are skipped. */
export function ndjsonReader(add: (item: unknown) => void): ItemReader {
  let rest = '';
  const addLine = (line: string): void => {
    if (line.trim() === '') return;
    try {
      add(JSON.parse(line));
    } catch {
      add(new UnreadableItem('is not JSON'));
    }
  };
  return {
    write: (text) => {
      if (!text.includes('\n')) {
        // A long line is searched only once, not again with each piece.
        rest += text;
        return;
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) addLine(line);
    },
    end: () => addLine(rest),
  };
}

const numberText = /^-?\d+(?:\.\d+)?$/;
const numberFields: ReadonlySet<string> = new Set([
  'cost',
  'salePrice',
  'declaredStockQuantity',
  'rawSizeMl',
]);
const booleanFields: ReadonlySet<string> = new Set([
  'costIsVatInclusive',
  'salePriceIsVatInclusive',
  'declaredInStock',
  'saveAsDraft',
]);

/**
 * A cell as the JSON value of its field. An empty cell is an omitted field; `""` is a blank text.
 */
function valueOf(cell: string, field: string, isQuoted: boolean): unknown {
  if (cell === '' && !isQuoted) return undefined;
  if (numberFields.has(field)) return numberText.test(cell) ? Number(cell) : cell;
  if (!booleanFields.has(field)) return cell;
  const text = cell.toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : cell;
}

/** A header row with the names of fields, then a row for each item (RFC 4180). */
export function csvReader(add: (item: unknown) => void): ItemReader {
  let failure: string | null = null;
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    columns: (header: readonly string[]) => {
      const names = header.map((name) => name.trim());
      if (new Set(names).size < names.length) failure = 'names a field twice in its header row';
      return names;
    },
    cast: (cell, { header, column, quoting }) =>
      header ? cell : (valueOf(cell, String(column), quoting) as string),
    on_record: (row: Readonly<Record<string, unknown>>) => {
      add(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)));
      return null;
    },
    on_skip: (error) => {
      if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
        add(new UnreadableItem('has another number of cells than the header row'));
      // After a misplaced quote, the beginning of the next row is unknown.
      else failure ??= `has a misplaced quote in line ${parser.info.lines}`;
      return undefined;
    },
  });
  parser.resume();
  parser.on('error', () => {
    failure ??= 'is not CSV';
  });
  return {
    write: (text) => void parser.write(text),
    end: () => {
      parser.end();
      if (failure !== null) throw malformedText(failure);
    },
  };
}
