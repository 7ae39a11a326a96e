import { parse } from 'csv-parse/sync';
import type { JobItemResult, JobKind } from 'vendor-gateway-client';

/** What one job takes. */
const itemsMax = 10_000;
/** Less than 8 MiB by what the body has around its items. */
const bytesMax = 8 * 1024 * 1024 - 1024;
/** Files with more rows to send go by jobs: smaller ones end sooner by calls of their own. */
export const rowsWithoutJob = 1000;

/** An item of a job, and the row of the file that it is of. */
export type RowItem = { readonly row: number; readonly item: object };
/** The items of one job as a list in JSON, with their rows. */
export type Chunk = {
  readonly kind: JobKind;
  readonly rows: readonly number[];
  readonly body: string;
};

/** The items of a chunk. */
export const itemsIn = (body: string): Record<string, unknown>[] =>
  JSON.parse(body) as Record<string, unknown>[];

const textOrNull = (cell: string | undefined): string | null =>
  cell === undefined || cell === '' ? null : cell;

/** The results of a job, from the CSV file of the gateway. */
export const resultsIn = (csv: string): readonly JobItemResult[] =>
  parse<Record<string, string>>(csv, { columns: true }).map(
    ({ index, httpStatus, state = '', offerId, vendorExternalId, version, details = '{}' }) => ({
      index: Number(index),
      httpStatus: Number(httpStatus),
      state,
      offerId: textOrNull(offerId),
      vendorExternalId: textOrNull(vendorExternalId),
      version: textOrNull(version) === null ? null : Number(version),
      details: JSON.parse(details) as JobItemResult['details'],
    }),
  );

/** Splits items into jobs, in their order. */
export function chunksOf(kind: JobKind, items: readonly RowItem[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let rows: number[] = [];
  let lines: string[] = [];
  let bytes = 0;
  const close = (): void => {
    if (rows.length > 0) chunks.push({ kind, rows, body: `[${lines.join(',')}]` });
    [rows, lines, bytes] = [[], [], 0];
  };
  for (const { row, item } of items) {
    const line = JSON.stringify(item);
    const size = Buffer.byteLength(line) + 1;
    if (rows.length === itemsMax || bytes + size > bytesMax) close();
    rows.push(row);
    lines.push(line);
    bytes += size;
  }
  close();
  return chunks;
}
