import { domainToASCII } from 'node:url';
import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { capabilities, parseCapabilities } from '../../domain/accounts/capabilities.ts';
import { gtinOf } from '../../domain/offers/gtin.ts';
import { halalasFromSar, maxHalalas } from '../../domain/money.ts';
import { overridesDirection, withoutInvisible } from '../../domain/texts/invisible.ts';
import { isBlank } from '../../domain/texts/typed-text.ts';
import { described } from './described.ts';
import { parseInstant } from './instant.ts';
import { jsonSchemaOf } from './json-schema.ts';

/**
 * The building blocks of request bodies. A message is `code: text`; the code becomes the entry's
 * `code`. Nothing is coerced. Lengths count code points.
 */

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
/** A text with U+FFFD instead of what {@link isStorable} refuses. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\ufffd');
const codePoints = (text: string): number => Array.from(text).length;

/**
 * What a text is for. A `name` or a code is shown beside others, so it has no character that
 * changes the direction of what surrounds it.
 */
type Kind = 'text' | 'name';

const checks = {
  text: {
    isPlain: isStorable,
    message: 'invalid_characters: must not contain NUL or lone surrogates',
  },
  name: {
    isPlain: (value: string) => isStorable(value) && !overridesDirection(value),
    message:
      'invalid_characters: must not contain NUL, lone surrogates, or characters that change the ' +
      'direction of text (U+202A to U+202E, U+2066 to U+2069)',
  },
} as const;

/** Text that Postgres and UTF-8 can hold, of at most `max` code points. */
export const text = (max: number, kind: Kind = 'text') =>
  v.pipe(
    v.string(),
    v.check(checks[kind].isPlain, checks[kind].message),
    v.check(
      (value) => value.length <= max || codePoints(value) <= max,
      `too_long: must have at most ${max} characters`,
    ),
    // The part of the check that a JSON Schema can express. An extension, because a reader of the
    // reference has no use for it; the contract test reads it as the pattern.
    v.metadata({ jsonSchema: { maxLength: max, 'x-pattern': '^[^\\u0000]*$' } }),
  );

/** Text that is not blank. */
export const filledText = (max: number, kind: Kind = 'text') =>
  v.pipe(
    text(max, kind),
    v.check((value) => !isBlank(value), 'required: must not be blank'),
    v.metadata({
      jsonSchema: {
        minLength: 1,
        maxLength: max,
        pattern: '\\S',
        'x-pattern': '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
      },
    }),
  );

/** Optional text; omitted, null and blank become null. */
export const optionalText = (max: number, kind: Kind = 'text') =>
  v.pipe(
    v.optional(v.nullable(text(max, kind)), null),
    v.transform((value) => (value === null || value.trim() === '' ? null : value)),
  );

/** Omitted and null become undefined, which keeps a text; blank becomes null: clear it. */
const clearing = (value: string | null | undefined): string | null | undefined =>
  value === undefined || value === null ? undefined : value.trim() === '' ? null : value;

/** Text of an update: undefined keeps it, null clears it. */
export const clearableText = (max: number, kind: Kind = 'text') =>
  v.pipe(v.optional(v.nullable(text(max, kind))), v.transform(clearing));

/** An address whose domain may have letters of any script (RFC 5890), but none without a shape. */
function isEmailAddress(value: string): boolean {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  if (!/[^\x20-\x7e]/.test(domain)) return v.RFC_EMAIL_REGEX.test(value);
  const isShown = withoutInvisible(domain) === domain && !/[\s\p{C}\p{Z}]/u.test(domain);
  const ascii = isShown ? domainToASCII(domain) : '';
  return ascii !== '' && v.RFC_EMAIL_REGEX.test(`${value.slice(0, at)}@${ascii}`);
}

/** An e-mail address of an update, at most 254 characters (RFC 5321). */
export const clearableEmail = v.pipe(
  v.optional(v.nullable(text(254))),
  v.check(
    (value) =>
      value === undefined || value === null || value.trim() === '' || isEmailAddress(value),
    'invalid_email: must be an e-mail address',
  ),
  v.metadata({
    jsonSchema: {
      'x-pattern': undefined,
      'x-rules': [
        {
          anyOf: [
            { type: 'string', format: 'email' },
            { type: 'string', pattern: '^\\s*$' },
            { type: 'null' },
          ],
        },
      ],
    },
  }),
  v.transform(clearing),
);

/** A list whose length alone is checked. `items` describes its items in the reference. */
export const uncheckedList = (
  items: JsonSchema,
  { min, max, what }: { readonly min: number; readonly max: number; readonly what: string },
) =>
  v.pipe(
    v.array(v.unknown()),
    v.minLength(min, `too_few: must have at least ${min} ${what}`),
    v.maxLength(max, `too_many: must have at most ${max} ${what}`),
    v.metadata({ jsonSchema: { items } }),
  );

/** A list whose length is checked before its items: 1 MiB can hold 100,000s of invalid ones. */
export const boundedList = <const TItem extends v.GenericSchema>(
  item: TItem,
  bounds: Parameters<typeof uncheckedList>[1],
) => v.pipe(uncheckedList(jsonSchemaOf(item), bounds), v.array(item));

/** An optional field; omitted and null become null. */
export const optionalField = <const TSchema extends v.GenericSchema>(schema: TSchema) =>
  v.optional(v.nullable(schema), null);

/**
 * A value that `parse` converts, or refuses by null. `jsonSchema` says what JSON Schema can say of
 * what is not refused.
 */
export const parsedBy = <const TSchema extends v.GenericSchema, TOutput>(
  schema: TSchema,
  parse: (value: v.InferOutput<TSchema>) => TOutput | null,
  message: string,
  jsonSchema: object,
) =>
  v.pipe(
    schema,
    v.metadata({ jsonSchema }),
    v.rawTransform<v.InferOutput<TSchema>, TOutput>(({ dataset, addIssue, NEVER }) => {
      const parsed = parse(dataset.value);
      if (parsed !== null) return parsed;
      addIssue({ message });
      return NEVER;
    }),
  );

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (value: string): boolean => uuidPattern.test(value);

/** A uuid in any letter case, converted to lower case. */
export const uuid = v.pipe(
  v.string(),
  v.check(isUuid, 'invalid_uuid: must be a uuid'),
  v.metadata({ jsonSchema: { format: 'uuid' } }),
  v.toLowerCase(),
);

/** An RFC 3339 instant, converted to UTC text that keeps microseconds. */
export const instantOf = (typeMessage: string | undefined, formatMessage: string) =>
  parsedBy(v.string(typeMessage), parseInstant, formatMessage, { format: 'date-time' });
export const instantField = instantOf(
  undefined,
  'invalid_date: must be RFC 3339 with a time and an offset',
);

export const activeBody = v.strictObject({
  isActive: described(v.boolean(), 'True activates, false deactivates.', true),
});

const amountInSar = (minimum: 0 | 0.01, least: string) =>
  parsedBy(
    v.number(),
    (value) => (value === 0 && minimum === 0 ? 0 : halalasFromSar(value)),
    `invalid_amount: must be ${least}, at most ${maxHalalas / 100}, ` +
      `with at most two decimals: round it to halalas (0.01 SAR)`,
    // No multipleOf: most validators divide floats and would refuse 0.07.
    { minimum, maximum: maxHalalas / 100 },
  );

/** An amount in SAR above 0, converted to halalas. */
export const sar = amountInSar(0.01, 'above 0');
/** An amount in SAR that may be 0 in the named case, which a rule checks; in halalas. */
export const sarOrZero = (zeroCase: string) => amountInSar(0, `above 0 (0 only ${zeroCase})`);

export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.number(),
    v.integer('invalid_integer: must be a whole number'),
    v.minValue(min, `too_small: must be at least ${min}`),
    v.maxValue(max, `too_large: must be at most ${max}`),
  );

/** 0 to 1,000,000 pieces. */
export const stockQuantity = wholeNumber(0, 1_000_000);
export const sizeMl = wholeNumber(1, 100_000);

/**
 * GTIN-8, -12, -13 or -14, not zeros alone. Digits of any script become ASCII digits, and what
 * cannot be seen is left out.
 */
export const barcode = parsedBy(
  v.string(),
  gtinOf,
  'invalid_barcode: must be a GTIN-8, -12, -13 or -14 with a correct check digit, not zeros alone',
  { format: 'gtin', pattern: '^(?:\\d{8}|\\d{12,14})$' },
);

const oneCapability = `(?:${capabilities.join('|')})`;

/** A list such as "Offers, Stock", converted to capabilities. */
export const capabilityList = parsedBy(
  v.string(),
  // A megabyte of commas would take a while.
  (value) => (value.length > 1000 ? null : parseCapabilities(value)),
  `invalid_capabilities: must be a comma-separated list of ${capabilities.join(', ')}`,
  { maxLength: 1000, pattern: `^\\s*${oneCapability}(?:\\s*,\\s*${oneCapability})*\\s*$` },
);

/** A percentage with at most two decimals, converted to basis points. */
export const percent = (max: number) =>
  parsedBy(
    v.number(),
    (value) =>
      value >= 0 && value <= max && /^\d+(\.\d{1,2})?$/.test(String(value))
        ? Math.round(value * 100)
        : null,
    `invalid_percent: must be 0 to ${max} with at most two decimals`,
    { minimum: 0, maximum: max },
  );
