import type { FastifyRequest } from 'fastify';
import type { Queryable, Sql } from '../../db/core/client.ts';
import { onSnapshot } from '../../db/core/transaction.ts';
import type { Columns } from '../../db/core/columns.ts';
import { listResults, readResults, type FailedFilter } from '../../db/jobs/job-results.ts';
import type { PageRequest } from '../../db/lists/page.ts';
import { preferredType } from '../../domain/accept-header.ts';
import { csvCell } from '../../domain/texts/csv.ts';
import { FileResponse } from '../define-route.ts';
import { largeCallPauses } from '../http/large-call-pauses.ts';
import { booleanParameter, enumParameter, query, type QueryValues } from '../validation/query.ts';
import { csvType } from './job-body.ts';

const resultForms = ['json', 'csv'] as const;
type ResultForm = (typeof resultForms)[number];

/** The form that an Accept header prefers; JSON without one. */
const formOf = (accept = ''): ResultForm =>
  preferredType(accept, ['application/json', csvType]) === csvType ? 'csv' : 'json';

/** What the routes of jobs' results have in common. */
export const resultsRoute = {
  description:
    'Lists the results of the items that have run, in their order. As CSV, by ' +
    '`format` or by `Accept`, it is one file with all of them, without pages and envelope.',
  config: { sent: [csvType], handlerTimeoutMs: 30_000 },
  query: query({
    failed: booleanParameter(
      'Only items that failed (`true`), or only the others (`false`).',
      'true',
    ),
    format: enumParameter(
      resultForms,
      'The form of the response; it takes precedence over `Accept`.',
      'json',
    ),
  }),
} as const;

/** The results of a job in the form that the call asks for: a page, or one file with all. */
export async function answerResults<TResult extends { readonly index: number }>(
  sql: Sql,
  columns: Columns<TResult>,
  jobId: string,
  { query: { failed: isFailed, format }, page, request }: ResultsCall,
) {
  const form = format ?? formOf(request.headers.accept);
  if (form === 'csv') return resultFile(sql, columns, { jobId, isFailed });
  return onSnapshot(sql, (snapshot) => listResults(snapshot, columns, { jobId, isFailed }, page));
}

type ResultsCall = {
  readonly query: QueryValues<(typeof resultsRoute)['query']>;
  readonly page: PageRequest;
  readonly request: FastifyRequest;
};

/** All results of a job as one file, whose rows are read as the caller reads them. */
async function resultFile<TResult extends { readonly index: number }>(
  sql: Queryable,
  columns: Columns<TResult>,
  asked: { readonly jobId: string; readonly isFailed: FailedFilter },
): Promise<FileResponse> {
  const csvRow = (result: object): string => {
    const values = new Map<string, unknown>(Object.entries(result));
    return columns.keys.map((name) => csvCell(values.get(name))).join(',');
  };
  const pages = readResults(sql, columns, asked);
  // A fault of the database has its own response as long as nothing is sent.
  let page = await pages.next();
  async function* pieces(): AsyncGenerator<string> {
    const pause = largeCallPauses();
    yield `${columns.keys.join(',')}\r\n`;
    for (; page.done !== true; page = await pages.next()) {
      const piece = page.value.map((result) => `${csvRow(result)}\r\n`).join('');
      await pause();
      yield piece;
    }
  }
  return new FileResponse(csvType, pieces());
}
