import * as v from 'valibot';
import { pageSizeMax } from '../../db/lists/page.ts';
import { isErrorCode, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import { orderIdOf } from '../../domain/orders/order-id.ts';
import { firstCharacters } from '../../domain/texts/first-characters.ts';
import { typedForm } from '../../domain/texts/typed-text.ts';
import { apiError, type ApiError } from '../http/api-error.ts';
import { described, kind, type Texts } from './described.ts';
import { instantOf, isUuid, parsedBy, text } from './fields.ts';
import { sample } from './sample.ts';

/**
 * The building blocks of query strings. A value is a string, or a list when its name is sent twice,
 * which no parameter accepts. Each error has the specification's own code (part 7).
 */

type Bounds = { readonly minimum: number; readonly maximum: number };

/** A whole number within bounds, which an absent parameter has as `fallback`. */
const count = (pattern: RegExp, code: string, fallback: number, bounds: Bounds) =>
  v.optional(
    v.pipe(
      v.string(code),
      v.regex(pattern, code),
      v.check((text) => isWithin(Number(text), bounds), code),
      v.metadata({ jsonSchema: { type: 'integer', pattern: undefined, ...bounds } }),
      v.transform(Number),
    ),
    String(fallback),
  );

const isWithin = (value: number, { minimum, maximum }: Bounds): boolean =>
  value >= minimum && value <= maximum;

/** The greatest number of 15 digits, exact in JSON. */
export const countMax = 999_999_999_999_999;
const pageBounds: Bounds = { minimum: 1, maximum: countMax };
const pageSizeBounds: Bounds = { minimum: 1, maximum: pageSizeMax };

/** Parameters of a kind: a function of their descriptions. */
const parameter = <const TSchema extends v.GenericSchema>(schema: TSchema) =>
  kind(v.optional(schema));

/** The paging parameters of every list. */
export const pageParameters = {
  page: described(
    count(/^0*[1-9]\d{0,14}$/, 'VALIDATION_INVALID_PAGE', 1, pageBounds),
    'The page number, counted from 1. A page beyond the last one is empty.',
    1,
  ),
  pageSize: described(
    count(/^0*(?:[1-9]\d?|100)$/, 'VALIDATION_INVALID_PAGE_SIZE', 20, pageSizeBounds),
    'The number of items on a page, 1 to 100. Any other number is refused.',
    20,
  ),
};

/** A whole number of at most 15 digits, exact in JSON. */
export const countParameter = (fallback: number, bounds: Bounds, ...texts: Texts) => {
  const code = `invalid_integer: must be a whole number from ${bounds.minimum} to ${bounds.maximum}`;
  return described(count(/^\d{1,15}$/, code, fallback, bounds), ...texts);
};

const numberLike = (pattern: RegExp, message: string) =>
  parameter(v.pipe(v.string(), v.regex(pattern, message), v.transform(Number)));

/** A percentage with at most two decimals, of either sign. */
export const percentParameter = numberLike(
  /^-?\d{1,7}(?:\.\d{1,2})?$/,
  'invalid_percentage: must be a number with two decimals',
);

/** A number of hours of at most about a month. */
export const hoursParameter = numberLike(
  /^\d{1,3}$/,
  'invalid_hours: must be a whole number of at most three digits',
);

export const enumParameter = <const TOptions extends readonly [string, ...string[]]>(
  options: TOptions,
  ...texts: Texts
) => described(v.optional(v.picklist(options)), ...texts);

/** A code as a person copies it, which `parse` reads: what cannot be seen around it is ignored. */
const codeParameter = (
  parse: (typed: string) => string | null,
  message: string,
  jsonSchema: object,
) => parameter(parsedBy(v.string(), (text) => parse(typedForm(text)), message, jsonSchema));

const lowerUuid = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null);
export const uuidParameter = codeParameter(lowerUuid, 'invalid_uuid: must be a uuid', {
  format: 'uuid',
});

const prefixedUuid = (prefix: string): string =>
  String.raw`^${prefix}_[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$`;

/** An event id; gives it in lower case, as the gateway writes it. */
export const eventIdParameter = codeParameter(
  (text) => (/^evt_/i.test(text) && isUuid(text.slice(4)) ? text.toLowerCase() : null),
  'invalid_event_id: must be evt_ and a uuid',
  { pattern: prefixedUuid('evt') },
);

/** The `orderGlobalId` of an order; gives its id. */
export const orderGlobalIdParameter = codeParameter(
  orderIdOf,
  'invalid_order_id: must be ord_ and a uuid',
  { pattern: prefixedUuid('ord') },
);

/** The number of a return; gives its digits. */
export const returnNumberParameter = codeParameter(
  (text) => /^(?:RR-)?(\d{1,18})$/i.exec(text)?.[1] ?? null,
  'invalid_return_number: must be RR- and digits',
  { pattern: String.raw`^(?:[Rr]{2}-)?\d{1,18}$` },
);

export const vendorIdParameter = uuidParameter('Only items of this vendor.', sample.vendorId);

export const booleanParameter = parameter(
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((value) => value === 'true'),
  ),
);

/** A filter for an exact text. */
export const textParameter = (max: number, ...texts: Texts) =>
  described(v.optional(text(max)), ...texts);

const invalidDate = 'VALIDATION_INVALID_DATE' satisfies ErrorCode;
const dateForm = 'RFC 3339 with a time and an offset or Z, such as 2026-01-31T08:00:00Z';
export const instantParameter = parameter(instantOf(invalidDate, invalidDate));

export const changedSinceParameter = instantParameter(
  'Only items that changed strictly after this instant, in order of change. RFC 3339 with a time ' +
    'and an offset or `Z`, with up to six decimals; write the `+` of an offset as `%2B`. Start ' +
    'with an early instant and continue with `details.nextChangedSince` where the list returns it.',
  sample.offerCreatedAt,
);

/** `from` and `to`, both inclusive; `what` names the items and the bounded event. */
export const rangeParameters = (
  what:
    | 'offers created'
    | 'orders created'
    | 'returns requested'
    | 'attempts begun'
    | 'entries recorded',
) => ({
  from: instantParameter(
    `Only ${what} at this instant or later. RFC 3339 with a time and an offset or \`Z\`.`,
    '2026-11-01T00:00:00Z',
  ),
  to: instantParameter(
    `Only ${what} at this instant or earlier; not before \`from\`. RFC 3339 with a time and an ` +
      'offset or `Z`.',
    '2026-11-30T23:59:59Z',
  ),
});

/** Throws VALIDATION_INVALID_DATE when a range ends before it starts. */
export function requireRange(
  from: string | null,
  to: string | null,
  [parameter, end]: readonly [string, string] = ['from', 'to'],
): void {
  if (from !== null && to !== null && from > to) {
    throw apiError(invalidDate, {
      parameter,
      expected: `an instant at or before that of ${end}`,
      received: from,
    });
  }
}

const includable: readonly string[] = ['history'];
const unknownInclude = 'VALIDATION_UNKNOWN_INCLUDE' satisfies ErrorCode;

/** A comma-separated list of the optional parts of a response. */
export const includeParameter = described(
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => value.split(',').every((token) => includable.includes(token)),
        unknownInclude,
      ),
      v.metadata({ jsonSchema: { enum: includable }, options: includable }),
    ),
  ),
  'A comma-separated list of parts to add. `history`: the status changes, oldest first.',
  'history',
);

/** What a caller sends instead. */
const expectations: Partial<Record<ErrorCode, ErrorDetails>> = {
  VALIDATION_INVALID_PAGE: pageBounds,
  VALIDATION_INVALID_PAGE_SIZE: pageSizeBounds,
  VALIDATION_INVALID_DATE: { expected: dateForm },
};

/** A refused value for `details`, at most 100 characters of each text. */
const shortened = (value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, 10).map(shortened) : firstCharacters(String(value), 100);

/** The schema of a query string. */
export const query = <const TEntries extends v.ObjectEntries>(entries: TEntries) =>
  v.object(entries);
export type QuerySchema = ReturnType<typeof query>;

/** The parameters of a call: null for an absent one, unless its schema has a default. */
export type QueryValues<TSchema extends QuerySchema, TParsed = v.InferOutput<TSchema>> = {
  readonly [K in keyof TParsed]-?: undefined extends TParsed[K]
    ? Exclude<TParsed[K], undefined> | null
    : TParsed[K];
};

/** Adds null for each absent parameter to the parsed ones. */
export const withAbsent = (
  { entries }: QuerySchema,
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(entries).map((name) => [name, parsed[name] ?? null]));

/** The allowed values of a parameter, from its schema at any depth or from its metadata. */
function optionsOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ('options' in schema) return schema.options;
  if ('wrapped' in schema) return optionsOf(schema.wrapped);
  if ('metadata' in schema) return optionsOf(schema.metadata);
  if (!('pipe' in schema) || !Array.isArray(schema.pipe)) return undefined;
  return schema.pipe.map(optionsOf).find((options) => options !== undefined);
}

/** The end of an instant in a URL whose `+` was decoded to a blank. */
const lostPlus = /:\d\d(?:\.\d+)? \d\d:?\d\d$/;

/** Why a value was refused, for people; empty where other details say it. */
function reasonOf(parameter: string, value: unknown, issue: v.BaseIssue<unknown>) {
  if (Array.isArray(value)) {
    const reason = `${parameter} was given ${value.length} times; send it once.`;
    return { received: shortened(value), message: reason };
  }
  if (issue.message === invalidDate && lostPlus.test(String(value))) {
    const reason = 'has a blank where an offset has its sign: write + as %2B in a URL.';
    return { message: `${parameter} ${reason}` };
  }
  // The messages of the building blocks are `code: text`.
  const [, text] = /^[a-z_]+: (.*)$/s.exec(issue.message) ?? [];
  return text === undefined ? {} : { message: `${parameter} ${text}.` };
}

/** A query may have thousands of unknown names; the response has the first ones. */
const unknownMax = 100;

/** The first error of a query: unknown names, otherwise the first invalid value; null if valid. */
export function queryError(
  schema: QuerySchema,
  input: Readonly<Record<string, unknown>>,
  issue: v.BaseIssue<unknown> | undefined,
): ApiError | null {
  const allowedParameters = Object.keys(schema.entries);
  const unknown = Object.keys(input).filter((name) => !allowedParameters.includes(name));
  if (unknown.length > 0) {
    return apiError('VALIDATION_UNKNOWN_QUERY_PARAMETER', {
      parameters: unknown.slice(0, unknownMax).map(shortened),
      allowedParameters,
    });
  }
  if (issue === undefined) return null;
  const parameter = String(v.getDotPath(issue));
  const allowedValues = optionsOf(schema.entries[parameter]);
  const code = isErrorCode(issue.message) ? issue.message : 'VALIDATION_INVALID_QUERY_PARAMETER';
  return apiError(code, {
    parameter,
    ...(allowedValues === undefined ? {} : { allowedValues }),
    ...expectations[code],
    ...(code === invalidDate ? { received: shortened(input[parameter]) } : {}),
    ...reasonOf(parameter, input[parameter], issue),
  });
}
