import * as v from 'valibot';

/**
 * Adds a description and, where one is given, an example of a field for the OpenAPI document.
 * Null is an example like any other. A later call replaces what an earlier one added.
 */
export const described = <const TSchema extends v.GenericSchema>(
  schema: TSchema,
  description: string,
  ...examples: readonly [unknown?]
): TSchema =>
  // A pipe of a schema and metadata accepts and returns the same values as the schema.
  v.pipe(
    schema,
    v.metadata({ description, ...(examples.length === 0 ? {} : { examples }) }),
  ) as unknown as TSchema;

/** Describes the values of an enumeration as a Markdown list below `intro`. */
export const describeValues = (intro: string, values: Readonly<Record<string, string>>): string =>
  `${intro}\n\n${Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join('\n')}`;
