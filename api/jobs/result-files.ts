import type { Queryable } from '../../db/core/client.ts';
import { readResults } from '../../db/jobs/job-results.ts';
import { FileAnswer } from '../define-route.ts';
import { csvType, ndjsonType } from './job-body.ts';
import { jobResult } from './responses/job.ts';

export const resultForms = ['json', 'csv', 'ndjson'] as const;
type ResultForm = (typeof resultForms)[number];

const formsOfTypes: Readonly<Record<string, ResultForm>> = {
  'application/json': 'json',
  [csvType]: 'csv',
  [ndjsonType]: 'ndjson',
};

/** The form of the first known media type of an Accept header; JSON without one. */
export function formOf(accept = ''): ResultForm {
  for (const part of accept.split(',')) {
    const form = formsOfTypes[part.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
    if (form !== undefined) return form;
  }
  return 'json';
}

type Result = ReturnType<typeof jobResult>;

const csvColumns = [
  'index',
  'httpStatus',
  'state',
  'offerId',
  'vendorExternalId',
  'version',
  'details',
] as const satisfies readonly (keyof Result)[];

/** A cell of RFC 4180; null is an empty one. */
function csvCell(value: Result[keyof Result]): string {
  const text =
    typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value ?? ''}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvRow = (result: Result): string =>
  csvColumns.map((name) => csvCell(result[name])).join(',');

/** All results of a job as one file: at most 10,000 rows, most of them short. */
export async function resultFile(
  sql: Queryable,
  jobId: string,
  isFailed: boolean | null,
  form: Exclude<ResultForm, 'json'>,
): Promise<FileAnswer> {
  const lines: string[] = form === 'csv' ? [csvColumns.join(',')] : [];
  const lineOf = form === 'csv' ? csvRow : (result: Result) => JSON.stringify(result);
  for await (const results of readResults(sql, jobId, isFailed))
    for (const result of results) lines.push(lineOf(jobResult(result)));
  const text = lines.map((line) => `${line}${form === 'csv' ? '\r\n' : '\n'}`).join('');
  return new FileAnswer(form === 'csv' ? csvType : ndjsonType, text);
}
