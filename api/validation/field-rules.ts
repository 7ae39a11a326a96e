import * as v from 'valibot';

/**
 * Rules between the fields of a body. A message is `code: text`, as for a single field. A body also
 * states its rules as JSON Schema for the OpenAPI document; a test compares both.
 */

/**
 * A rule on some fields, checked as soon as these are well-formed, whatever else is wrong. `isMet`
 * may read these fields only. A violation becomes an entry for the field `at`.
 */
export const crossFieldRule = <TBody extends Record<string, unknown>>(
  fields: readonly (keyof TBody & string)[],
  at: keyof TBody & string,
  message: string,
  isMet: (body: TBody) => boolean,
): v.GenericValidation<TBody> =>
  // Valibot types a path as a tuple of literals, which a list of names is not.
  v.forward(
    v.partialCheck(
      fields.map((field) => [field]) as never,
      isMet as (body: unknown) => boolean,
      message,
    ),
    [at] as never,
  ) as unknown as v.GenericValidation<TBody>;

/** Whether a field was sent, malformed or not; null means omitted. */
export const isPresent = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * A rule on which fields are present, checked whatever else is wrong: the response lists missing
 * fields beside malformed ones. A violation becomes an entry for the field `at`.
 */
export const presenceRule = <TBody extends Record<string, unknown>>(
  at: keyof TBody & string,
  message: string,
  isMet: (body: Readonly<Partial<Record<keyof TBody, unknown>>>) => boolean,
): v.GenericValidation<TBody> =>
  v.rawCheck<TBody>(({ dataset, addIssue }) => {
    // A malformed value is in the dataset as it was sent, and so is a body that is no object.
    const input = dataset.value as
      Readonly<Partial<Record<keyof TBody, unknown>>> | null | undefined;
    if (typeof input !== 'object' || input === null || isMet(input)) return;
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: { ...input }, key: at, value: input[at] }],
    });
  });

/** Requires `field` when `other` is present. */
export const requiredWith = <TBody extends Record<string, unknown>>(
  field: keyof TBody & string,
  other: keyof TBody & string,
): v.GenericValidation<TBody> =>
  presenceRule<TBody>(
    field,
    `required: is required when ${other} is present`,
    (body) => isPresent(body[field]) || !isPresent(body[other]),
  );

/**
 * Adds rules to a body as JSON Schemas: all of them apply. An extension (`x-rules`) and not
 * `allOf`, because client generators make types of the cases of a rule.
 */
export const ruleSchemas = <TBody>(
  ...rules: readonly object[]
): v.MetadataAction<TBody, { readonly jsonSchema: { readonly 'x-rules': readonly object[] } }> =>
  v.metadata({ jsonSchema: { 'x-rules': rules } });

/** The JSON Schema of an omitted field. */
export const nothing = { type: 'null' };

/** {@link requiredWith} as JSON Schema. */
export const requiredWithSchema = (field: string, other: string) => ({
  anyOf: [
    { properties: { [other]: nothing } },
    { required: [field], properties: { [field]: { not: nothing } } },
  ],
});
