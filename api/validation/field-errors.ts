import type * as v from 'valibot';
import { fieldName, type FieldError } from '../../domain/errors.ts';

type Key = string | number;

const pointer = (keys: readonly Key[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const nameOf = (keys: readonly Key[]): string =>
  keys.length === 0
    ? 'Body'
    : keys
        .map((key, index) =>
          typeof key === 'number' ? `[${key}]` : (index === 0 ? '' : '.') + fieldName(key),
        )
        .join('');

/** One entry of a validation failure, for the field that the keys lead to: `Groups[0].VendorId` at `/groups/0/vendorId` (D3). */
export const fieldEntry = (keys: readonly Key[], code: string, message: string): FieldError => ({
  field: nameOf(keys),
  path: pointer(keys),
  code,
  message,
});

const isKey = (key: unknown): key is Key => typeof key === 'string' || typeof key === 'number';

function fromIssue(issue: v.BaseIssue<unknown>): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => key).filter(isKey);
  if (issue.kind === 'schema') {
    const isMissing = issue.input === undefined;
    return isMissing
      ? fieldEntry(keys, 'required', 'is required')
      : fieldEntry(
          keys,
          issue.type === 'picklist' ? 'not_allowed' : 'invalid_type',
          `must be ${expectation(issue)}`,
        );
  }
  const [, code, message] = /^([a-z_]+): (.*)$/s.exec(issue.message) ?? [];
  return fieldEntry(keys, code ?? 'invalid', message ?? 'is invalid');
}

/** Valibot's own words: `string`, `("a" | "b")`, `Object`. */
const expectation = ({ expected, type }: v.BaseIssue<unknown>): string => {
  const text = (expected ?? 'valid').replaceAll(/[()"]/g, '').replaceAll(' | ', ', ');
  return type === 'picklist' ? `one of ${text}` : `of type ${text.toLowerCase()}`;
};

/** A body of a million bytes can be wrong in a hundred thousand places: the first of them will do. */
const errorsMax = 100;
/** No list that a request may have is longer. */
const itemsMax = 1000;

/**
 * Every failing field of a body (D3). Valibot stops at the first unknown key of an object, so those are looked for
 * here; its own word on them is dropped.
 */
export function fieldErrors(
  schema: v.GenericSchema,
  input: unknown,
  issues: readonly v.BaseIssue<unknown>[],
): readonly FieldError[] {
  const known = issues.filter((issue) => !isUnknownKey(issue)).slice(0, errorsMax);
  return [...known.map(fromIssue), ...unknownKeys(schema, input, [])].slice(0, errorsMax);
}

const isUnknownKey = ({ type, expected }: v.BaseIssue<unknown>): boolean =>
  type === 'strict_object' && expected === 'never';

type Shape = {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly item?: Shape;
  readonly wrapped?: Shape;
  readonly kind?: string;
  /** Its own schema first, then what follows: checks, or another schema. */
  readonly pipe?: readonly Shape[];
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Walks the schema and the input together, and names every key that an object does not have. */
function unknownKeys(schema: Shape, input: unknown, at: readonly Key[]): readonly FieldError[] {
  if (schema.wrapped !== undefined) return unknownKeys(schema.wrapped, input, at);
  // A list is judged by its length first, then by its items.
  const later = schema.pipe?.findLast((step, place) => place > 0 && step.kind === 'schema');
  if (later !== undefined) return unknownKeys(later, input, at);
  if (schema.item !== undefined && Array.isArray(input)) {
    const { item } = schema;
    return input
      .slice(0, itemsMax)
      .flatMap((value, index) => unknownKeys(item, value, [...at, index]));
  }
  const { entries } = schema;
  if (entries === undefined || !isRecord(input)) return [];
  const known = Object.entries(input).filter(([key]) => Object.hasOwn(entries, key));
  const strangers = Object.keys(input)
    .filter((key) => !Object.hasOwn(entries, key))
    .slice(0, errorsMax);
  return [
    ...strangers.map((key) =>
      fieldEntry([...at, key], 'unknown_field', 'is not a field of this request'),
    ),
    ...known.flatMap(([key, value]) => unknownKeys(entries[key] ?? {}, value, [...at, key])),
  ];
}
