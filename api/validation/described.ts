import * as v from 'valibot';

/** The description of a field and, where one is given, its example. */
export type Texts = readonly [description: string, example?: unknown];

/**
 * Adds a description and, where one is given, an example of a field for the OpenAPI document.
 * Null is an example like any other. A later call replaces what an earlier one added.
 */
export const described = <const TSchema extends v.GenericSchema>(
  schema: TSchema,
  ...[description, ...examples]: Texts
): TSchema =>
  // A pipe of a schema and metadata accepts and returns the same values as the schema.
  v.pipe(
    schema,
    v.metadata({ description, ...(examples.length === 0 ? {} : { examples }) }),
  ) as unknown as TSchema;

/** Fields of a kind: a function of their descriptions. */
export const kind =
  <const TSchema extends v.GenericSchema>(schema: TSchema) =>
  (...texts: Texts): TSchema =>
    described(schema, ...texts);

/** Describes the values of an enumeration as a Markdown list below `intro`. */
export const describeValues = (intro: string, values: Readonly<Record<string, string>>): string =>
  `${intro}\n\n${Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join('\n')}`;
