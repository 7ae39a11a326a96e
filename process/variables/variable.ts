import * as v from 'valibot';

/** The description and the schema of an environment variable. */
export type Variable = {
  readonly description: string;
  readonly fallback: string | undefined;
  readonly schema: v.GenericSchema<unknown, unknown>;
};

/** A variable with a default. */
export const variable = <const TSchema extends v.GenericSchema<string, unknown>>(
  description: string,
  schema: TSchema,
  fallback: string,
) => ({
  description,
  fallback,
  schema: v.optional(schema, fallback as v.InferInput<TSchema>),
});

/** A variable without a default. */
export const optional = <const TSchema extends v.GenericSchema<string, unknown>>(
  description: string,
  schema: TSchema,
) => ({
  description,
  fallback: undefined,
  schema: v.optional(schema),
});
