import type { JobKind } from 'vendor-gateway-client';

/** What one job takes. */
const itemsMax = 10_000;
const bytesMax = 8 * 1024 * 1024;
/** Files with more rows to send go by jobs: smaller ones end sooner by calls of their own. */
export const rowsWithoutJob = 1000;

/** An item of a job, and the row of the file that it is of. */
export type RowItem = { readonly row: number; readonly item: object };
/** The items of one job as NDJSON, with their rows. */
export type Chunk = {
  readonly kind: JobKind;
  readonly rows: readonly number[];
  readonly body: string;
};

/** The objects of a text in NDJSON. */
export const objectsIn = (ndjson: string): readonly unknown[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

/** Splits items into jobs, in their order. */
export function chunksOf(kind: JobKind, items: readonly RowItem[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let rows: number[] = [];
  let lines: string[] = [];
  let bytes = 0;
  const close = (): void => {
    if (rows.length > 0) chunks.push({ kind, rows, body: lines.join('') });
    [rows, lines, bytes] = [[], [], 0];
  };
  for (const { row, item } of items) {
    const line = `${JSON.stringify(item)}\n`;
    const size = Buffer.byteLength(line);
    if (rows.length === itemsMax || bytes + size > bytesMax) close();
    rows.push(row);
    lines.push(line);
    bytes += size;
  }
  close();
  return chunks;
}
