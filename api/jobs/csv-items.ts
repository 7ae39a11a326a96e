import type * as v from 'valibot';
import type { FieldError } from '../../domain/errors.ts';
import type { JobKind } from '../../domain/jobs/job.ts';
import { validationErrors } from '../http/api-error.ts';
import { costItem, salePriceItem, stockItem } from '../offers/bulk/bulk-body.ts';
import { createOfferBody } from '../offers/create-offer-body.ts';
import { updateOfferBody } from '../offers/update-offer-body.ts';
import { fieldEntry, shortened, vatFlagMeaning } from '../validation/field-errors.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import {
  columnsMax,
  isBlank,
  openQuotesMax,
  readCells,
  separatorLine,
  separators,
  splitRecords,
  type CsvCell,
  type CsvRecord,
} from './csv-records.ts';
import { isFull, refusal, type ItemReader } from './item-reader.ts';
import { UnreadableItem } from './job-item-parsers.ts';

const fieldsOf = (schema: v.GenericSchema): readonly string[] =>
  Object.keys(jsonSchemaOf(schema).properties ?? {});

/** The fields of an item of each kind: what the columns of a file may be. */
const fieldsOfKind: Readonly<Record<JobKind, ReadonlySet<string>>> = {
  createOffers: new Set(fieldsOf(createOfferBody)),
  updateOffers: new Set(['offerId', ...fieldsOf(updateOfferBody)]),
  pushCosts: new Set(fieldsOf(costItem)),
  pushSalePrices: new Set(fieldsOf(salePriceItem)),
  pushStocks: new Set(fieldsOf(stockItem)),
};

const numberText = /^-?\d+(?:\.\d+)?$/;
const decimalComma = /^-?\d{1,9}(?:[.\u00a0\u202f ]?\d{3})*,\d{1,4}$/;
/** As spreadsheets write a long number. */
const scientific = /^-?\d(?:[.,]\d+)?E[+-]\d{2,}$/i;

/**
 * How the cells of a field are read; those of other fields are free texts. An id is a text of
 * digits, which a spreadsheet takes for a number.
 */
const cellKinds: Readonly<Record<string, 'number' | 'flag' | 'id'>> = {
  cost: 'number',
  salePrice: 'number',
  declaredStockQuantity: 'number',
  rawSizeMl: 'number',
  costIsVatInclusive: 'flag',
  salePriceIsVatInclusive: 'flag',
  declaredInStock: 'flag',
  saveAsDraft: 'flag',
  barcode: 'id',
  vendorExternalId: 'id',
  vendorSku: 'id',
  offerId: 'id',
  variantId: 'id',
};

/** The value of a cell, undefined for an omitted field; or why the cell cannot be read. */
type ReadCell = { readonly value: unknown } | { readonly objection: string };

const omitted: ReadCell = { value: undefined };

function readCell({ text: sent, isQuoted }: CsvCell, field: string): ReadCell {
  if (sent === null)
    return { objection: 'has a text behind its closing quote; double a quote within a text' };
  if (field === '')
    return sent.trim() === '' ? omitted : { objection: 'has a value in a column without a name' };
  const kind = cellKinds[field];
  // Blanks within quotes belong to a free text only: an id with them would be another id.
  const text = kind === undefined ? sent : sent.trim();
  // An empty cell is an omitted field; `""` is a blank text, which a number or a flag cannot be.
  if (text === '' && (!isQuoted || kind === 'number' || kind === 'flag')) return omitted;
  if ((kind === 'number' || kind === 'id') && scientific.test(text))
    return {
      objection: `${shortened(text)} was changed by a spreadsheet; format the column as text`,
    };
  if (kind === 'number') return readNumber(text);
  if (kind !== 'flag') return { value: text };
  return /^(?:true|false)$/i.test(text)
    ? { value: text.toLowerCase() === 'true' }
    : { objection: `${shortened(text)} is neither true nor false${vatFlagMeaning(field)}` };
}

function readNumber(text: string): ReadCell {
  if (numberText.test(text)) return { value: Number(text) };
  const problem = decimalComma.test(text)
    ? `has a decimal comma; write ${text.replaceAll(/[^\d,-]/g, '').replace(',', '.')}`
    : 'is not a number such as 12.50, without a currency or spaces';
  return { objection: `${shortened(text)} ${problem}` };
}

/** The columns of a file: the separator, and the name of each column; '' for one without a name. */
type Columns = { readonly separator: string; readonly names: readonly string[] };

/** The names of a header row up to the last one; null for more than {@link columnsMax}. */
function namesOf(header: string, separator: string): readonly string[] | null {
  const { cells, rest } = readCells(header, separator, columnsMax);
  const names = cells.map(({ text }) => (text ?? '').trim());
  const last = names.findLastIndex((name) => name !== '');
  return isBlank(rest, separator) ? names.slice(0, last + 1) : null;
}

/** Finds the columns of a header row. Throws for unknown and for repeated ones. */
function readHeader(header: string, given: string | null, known: ReadonlySet<string>): Columns {
  const candidates = (given === null ? separators : [given]).flatMap((separator) => {
    const names = namesOf(header, separator);
    return names === null ? [] : [{ separator, names }];
  });
  const knownOf = ({ names }: Columns): number => names.filter((name) => known.has(name)).length;
  const [columns] = candidates.toSorted(
    (one, other) => knownOf(other) - knownOf(one) || other.names.length - one.names.length,
  );
  if (columns === undefined || (candidates.length < separators.length && given === null))
    throw refusal('too_many', `has more than ${columnsMax} columns`);
  const { names } = columns;
  const unknown = names.filter((name) => name !== '' && !known.has(name));
  if (unknown.length > 0)
    throw validationErrors(
      ...unknown
        .slice(0, 10)
        .map((name) =>
          fieldEntry(
            [name],
            'unknown_field',
            `is no field of these items; the columns may be ${[...known].join(', ')}`,
          ),
        ),
    );
  const repeated = names.filter((name, index) => name !== '' && names.indexOf(name) !== index);
  if (repeated.length > 0)
    throw refusal('malformed', `names ${repeated.join(', ')} twice in its header row`);
  return columns;
}

/** Reads a row: an item, or what is wrong with its cells. */
function readRow({ row, text }: CsvRecord, { separator, names }: Columns): unknown {
  const of = (message: string, column?: number): FieldError => {
    const name = column === undefined ? '' : names[column];
    const columnText = column === undefined ? '' : `, column ${name === '' ? column + 1 : name}`;
    const keys = name === undefined || name === '' ? [] : [name];
    return fieldEntry(keys, 'malformed', `row ${row}${columnText}: ${message}`);
  };
  if (text === null)
    return new UnreadableItem([of('is longer than 64 KiB, or has a quote without an end')]);
  const { cells, rest } = readCells(text, separator, names.length);
  const item: Record<string, unknown> = {};
  const errors = isBlank(rest, separator) ? [] : [of('has more cells than the header row')];
  for (const [column, cell] of cells.entries()) {
    const name = names[column] ?? '';
    const read = readCell(cell, name);
    if ('objection' in read) errors.push(of(read.objection, column));
    else if (read.value !== undefined) item[name] = read.value;
  }
  return errors.length === 0 ? item : new UnreadableItem(errors, item);
}

function refuseQuotes(): never {
  const fault = `has more than ${openQuotesMax} quotes without an end; double a quote within a text`;
  throw refusal('malformed', fault);
}

/**
 * Reads a header row with the names of fields, then a row for each item (RFC 4180, and as
 * spreadsheets write it).
 */
export function csvReader(kind: JobKind): ItemReader<readonly unknown[]> {
  const known = fieldsOfKind[kind];
  const items: unknown[] = [];
  let separator: string | null = null;
  let columns: Columns | null = null;
  const records = splitRecords((record) => {
    const { text } = record;
    // Spreadsheets hide the line of the separator, and count without it.
    const row = separator === null ? record.row : record.row - 1;
    if (columns !== null) {
      if (!isFull(items) && (text === null || !isBlank(text, columns.separator)))
        items.push(readRow({ row, text }, columns));
      return;
    }
    if (text === null) throw refusal('too_long', 'has a header row of more than 64 KiB');
    const [, named] = (record.row === 1 ? separatorLine.exec(text) : null) ?? [];
    if (named !== undefined) separator = named;
    else if (!separators.some((each) => isBlank(text, each)))
      columns = readHeader(text, separator, known);
    const found = columns?.separator ?? separator;
    if (found !== null) records.separateBy(found);
  }, refuseQuotes);
  return {
    write: records.write,
    end: () => {
      records.end();
      if (columns === null) throw refusal('too_few', 'has no header row with the names of fields');
      return items;
    },
  };
}
