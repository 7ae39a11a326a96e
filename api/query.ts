import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../domain/errors.ts';
import { apiError, type ApiError } from './api-error.ts';
import { isUuid } from './fields.ts';

/**
 * The building blocks of query strings. Values arrive as strings, or as lists when a name was given twice, which
 * no parameter of ours takes. Each fault has the specification's own code (part 7, D5).
 */

const count = (
  pattern: RegExp,
  code: ErrorCode,
  fallback: number,
  limits: { readonly maximum?: number } = {},
) =>
  v.optional(
    v.pipe(
      v.string(code),
      v.regex(pattern, code),
      v.metadata({ jsonSchema: { type: 'integer', pattern: undefined, minimum: 1, ...limits } }),
      v.transform(Number),
    ),
    String(fallback),
  );

/** Both parameters of every list. A page number that no list could reach is an integer all the same, as far as JSON can name it. */
export const pageParameters = {
  page: count(/^0*[1-9]\d{0,14}$/, 'VALIDATION_INVALID_PAGE', 1),
  pageSize: count(/^0*(?:[1-9]\d?|100)$/, 'VALIDATION_INVALID_PAGE_SIZE', 20, { maximum: 100 }),
};

export const enumParameter = <const TOptions extends readonly [string, ...string[]]>(options: TOptions) =>
  v.optional(v.picklist(options));

export const uuidParameter = v.optional(
  v.pipe(v.string(), v.check(isUuid), v.metadata({ jsonSchema: { format: 'uuid' } }), v.toLowerCase()),
);

export const booleanParameter = v.optional(
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((value) => value === 'true'),
  ),
);

/** A whole query string. */
export const query = <const TEntries extends v.ObjectEntries>(entries: TEntries) => v.object(entries);
export type QuerySchema = ReturnType<typeof query>;

/** The values a parameter may have, wherever its schema wraps them. */
function optionsOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ('options' in schema) return schema.options;
  if ('wrapped' in schema) return optionsOf(schema.wrapped);
  return 'pipe' in schema && Array.isArray(schema.pipe) ? optionsOf(schema.pipe[0]) : undefined;
}

/** The query's own error: unknown names first, then the first value that does not parse. */
export function queryError(
  schema: QuerySchema,
  input: Readonly<Record<string, unknown>>,
  issue: v.BaseIssue<unknown> | undefined,
): ApiError | null {
  const allowedParameters = Object.keys(schema.entries);
  const unknown = Object.keys(input).filter((name) => !allowedParameters.includes(name));
  if (unknown.length > 0) {
    return apiError('VALIDATION_UNKNOWN_QUERY_PARAMETER', { parameters: unknown, allowedParameters });
  }
  if (issue === undefined) return null;
  const parameter = String(v.getDotPath(issue));
  if (isErrorCode(issue.message)) return apiError(issue.message, { parameter });
  const allowedValues = optionsOf(schema.entries[parameter]);
  return apiError('VALIDATION_INVALID_QUERY_PARAMETER', {
    parameter,
    ...(allowedValues === undefined ? {} : { allowedValues }),
  });
}
