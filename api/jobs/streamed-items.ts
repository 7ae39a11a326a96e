import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'csv-parse';
import { invalid } from '../../domain/errors.ts';
import { countBody } from '../auth/call-points.ts';
import { apiError, ApiError } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';
import { csvType, jobBytesMax, jobItemsMax, ndjsonType } from './job-body.ts';
import { UnreadableItem } from './job-item-parsers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts so many bytes of a body that is read as it arrives; null: no more than before. */
    countBytes: ((bytes: number) => Promise<void> | null) | null;
  }
}

/** Takes the text of a body piece by piece, and adds its items to a list. */
type Reader = { readonly write: (text: string) => void; readonly end: () => void };

/**
 * Lets the routes of `scope` accept CSV and NDJSON bodies. They are read as they arrive, without
 * the whole text in memory. The body then is `{kind, items}`, with the kind of the query.
 */
export function parseStreamedItems(scope: FastifyInstance): void {
  scope.decorateRequest('countBytes', null);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    request.countBytes = (bytes) => countBody(request, reply, bytes);
    done();
  });
  scope.addContentTypeParser(csvType, parserOf(csvReader));
  scope.addContentTypeParser(ndjsonType, parserOf(ndjsonReader));
}

const parserOf =
  (readerOf: (add: (item: unknown) => void) => Reader) =>
  async (request: FastifyRequest, payload: Readable) => {
    const { kind } = request.query as { readonly kind?: unknown };
    try {
      const bytes = countedBytes(request, payload);
      return { kind, items: await readItems(bytes, readerOf) };
    } catch (error) {
      // Discards the rest: the caller reads the answer only after it has sent its body.
      payload.resume();
      throw error;
    }
  };

/** The pieces of a body, each once it is counted; its stream stays open when the reader stops. */
async function* countedBytes({ countBytes }: FastifyRequest, payload: Readable) {
  let bytes = 0;
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > jobBytesMax) throw apiError('PAYLOAD_TOO_LARGE');
    await countBytes?.(bytes);
    yield piece;
  }
}

const malformedText = (message: string): ApiError =>
  new ApiError(invalid(fieldEntry([], 'malformed', message)).failure);

async function readItems(
  pieces: AsyncIterable<Buffer>,
  readerOf: (add: (item: unknown) => void) => Reader,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw malformedText('is not UTF-8');
    }
  };
  // One item too many is enough for the refusal.
  const reader = readerOf((item) => {
    if (items.length <= jobItemsMax) items.push(item);
  });
  for await (const piece of pieces) reader.write(decode(piece));
  reader.write(decode());
  reader.end();
  return items;
}

/** One JSON value on each line; empty lines are skipped. */
function ndjsonReader(add: (item: unknown) => void): Reader {
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
        // A long line is not searched again with each piece.
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
function csvReader(add: (item: unknown) => void): Reader {
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
      // Where the next row begins is unknown.
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
