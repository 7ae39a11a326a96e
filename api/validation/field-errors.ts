import type * as v from 'valibot';
import { fieldName, type FieldError } from '../../domain/errors.ts';
import { firstCharacters } from '../../domain/texts/first-characters.ts';

type Key = string | number;

const pointer = (keys: readonly Key[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const nameOf = (keys: readonly Key[]): string =>
  keys
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : (index === 0 ? '' : '.') + fieldName(key),
    )
    .join('') || 'Body';

/** A caller's text as an error repeats it: it may be as long as the body. */
export function shortened(text: string): string {
  const first = firstCharacters(text, 100);
  return first.length < text.length ? `${first}…` : text;
}

/** The entry for the field at `keys`, such as `Groups[0].VendorId` at `/groups/0/vendorId`. */
export function fieldEntry(keys: readonly Key[], code: string, message: string): FieldError {
  const shown = keys.map((key) => (typeof key === 'string' ? shortened(key) : key));
  return { field: nameOf(shown), path: pointer(shown), code, message };
}

const isKey = (key: unknown): key is Key => typeof key === 'string' || typeof key === 'number';

/** What the values of a VAT flag mean, which its name does not say; empty for another field. */
export const vatFlagMeaning = (name: string): string =>
  name.endsWith('IsVatInclusive') ? ' (false: net, true: with VAT)' : '';

/** The form of the values of a field, which its name does not say; empty for another field. */
const formOf = (name: string): string =>
  name === 'AdvanceBy' ? ' (an ISO 8601 duration, such as PT72H)' : vatFlagMeaning(name);

function fromIssue(issue: v.BaseIssue<unknown>): FieldError {
  const entry = entryOf(issue);
  if (entry.code !== 'required' && entry.code !== 'invalid_type') return entry;
  return { ...entry, message: `${entry.message}${formOf(entry.field)}` };
}

function entryOf(issue: v.BaseIssue<unknown>): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => key).filter(isKey);
  if (issue.kind !== 'schema') {
    const [, code, message] = /^([a-z_]+): (.*)$/s.exec(issue.message) ?? [];
    return fieldEntry(keys, code ?? 'invalid', message ?? 'is invalid');
  }
  if (issue.input === undefined) return fieldEntry(keys, 'required', 'is required');
  // Valibot writes `string`, `("a" | "b")` or `Object`.
  const expected = (issue.expected ?? 'valid').replaceAll(/[()"]/g, '').replaceAll(' | ', ', ');
  return issue.type === 'picklist'
    ? fieldEntry(keys, 'not_allowed', `must be one of ${expected}`)
    : fieldEntry(keys, 'invalid_type', `must be of type ${expected.toLowerCase()}`);
}

/** A body can contain thousands of errors; the response lists the first ones. */
const errorsMax = 100;
/** No list in a request is longer. */
const itemsMax = 1000;

/**
 * Every failing field of a body, at most 100. Valibot stops at the first unknown key of an object,
 * so this function finds the unknown keys and ignores Valibot's issue.
 */
export function fieldErrors(
  schema: v.GenericSchema,
  input: unknown,
  issues: readonly v.BaseIssue<unknown>[],
  max = errorsMax,
): readonly FieldError[] {
  const known = issues.filter((issue) => !isUnknownKey(issue)).slice(0, max);
  const errors = known.map(fromIssue);
  if (errors.length >= max) return errors;
  // A body may have thousands of unknown keys: no more of them are looked at than are listed.
  for (const unknown of unknownKeys(schema, input, [])) if (errors.push(unknown) === max) break;
  return errors;
}

const isUnknownKey = ({ type, expected }: v.BaseIssue<unknown>): boolean =>
  type === 'strict_object' && expected === 'never';

type Shape = {
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly item?: Shape;
  readonly wrapped?: Shape;
  readonly kind?: string;
  /** The schema itself first, then actions or further schemas. */
  readonly pipe?: readonly Shape[];
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Whether two names are equal but for at most one letter. */
function isNear(one: string, other: string): boolean {
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin += 1;
  const [rest, otherRest] = [one.slice(begin), other.slice(begin)];
  const isReplaced = rest.length === otherRest.length && rest.slice(1) === otherRest.slice(1);
  return isReplaced || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}

/** What to do with an unknown key; it names the field that the caller probably meant. */
function adviceFor(key: string, names: readonly string[]): string {
  // A key may be as long as the body.
  if (key.length > 60) return 'remove it';
  const wanted = plainName(key);
  const meant =
    names.find((name) => plainName(name) === wanted) ??
    names.find((name) => wanted.length > 3 && isNear(wanted, plainName(name)));
  return meant === undefined ? 'remove it' : `did you mean ${meant}?`;
}

/** The entries of the keys that an object's schema does not have, at any depth, one by one. */
function* unknownKeys(schema: Shape, input: unknown, at: readonly Key[]): Generator<FieldError> {
  if (schema.wrapped !== undefined) {
    yield* unknownKeys(schema.wrapped, input, at);
    return;
  }
  // The last schema of a pipe is the most specific: a list's length is checked before its items.
  const last = schema.pipe?.findLast(({ kind }) => kind === 'schema');
  if (last !== undefined) {
    yield* unknownKeys(last, input, at);
    return;
  }
  const { item, entries } = schema;
  if (item !== undefined && Array.isArray(input)) {
    for (const [index, value] of input.slice(0, itemsMax).entries())
      yield* unknownKeys(item, value, [...at, index]);
    return;
  }
  if (entries === undefined || !isRecord(input)) return;
  const names = Object.keys(entries);
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(entries, key)) continue;
    const advice = adviceFor(key, names);
    yield fieldEntry([...at, key], 'unknown_field', `is not a field of this request; ${advice}`);
  }
  for (const key of Object.keys(input))
    if (Object.hasOwn(entries, key))
      yield* unknownKeys(entries[key] ?? {}, input[key], [...at, key]);
}
