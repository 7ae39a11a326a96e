import postgres from 'postgres';
import type { Queryable } from '../../db/core/client.ts';
import { readResults, type FailedFilter, type ResultTable } from '../../db/jobs/job-results.ts';
import { FileAnswer } from '../define-route.ts';
import { largeCallRests } from '../http/large-call-rests.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, enumParameter, pageParameters } from '../validation/query.ts';
import { csvType, ndjsonType } from './job-body.ts';

const resultForms = ['json', 'csv', 'ndjson'] as const;
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

/** The parameters of a job's results. */
export const resultParameters = {
  ...pageParameters,
  failed: described(
    booleanParameter,
    'Only items that failed (`true`), or only the others (`false`).',
    'true',
  ),
  format: described(
    enumParameter(resultForms),
    'The form of the answer; it takes precedence over `Accept`.',
    'json',
  ),
};

/** A cell of RFC 4180; null is an empty one. */
function csvCell(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String((value as string | number | null) ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** All results of a job as one file: at most 10,000 rows, most of them short. */
export async function resultFile<TResult extends { readonly index: number }>(
  sql: Queryable,
  table: ResultTable<TResult>,
  asked: { readonly jobId: string; readonly isFailed: FailedFilter },
  {
    form,
    answer,
  }: {
    readonly form: Exclude<ResultForm, 'json'>;
    readonly answer: (result: TResult) => object;
  },
): Promise<FileAnswer> {
  const names = table.columns.map(postgres.toCamel);
  const csvRow = (result: object): string => {
    const values = new Map<string, unknown>(Object.entries(result));
    return names.map((name) => csvCell(values.get(name))).join(',');
  };
  const rest = largeCallRests();
  let text = form === 'csv' ? `${names.join(',')}\r\n` : '';
  const lineOf =
    form === 'csv'
      ? (result: object) => `${csvRow(result)}\r\n`
      : (result: object) => `${JSON.stringify(result)}\n`;
  for await (const results of readResults(sql, table, asked)) {
    text += results.map((result) => lineOf(answer(result))).join('');
    await rest();
  }
  return new FileAnswer(form === 'csv' ? csvType : ndjsonType, text);
}
