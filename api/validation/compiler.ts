import type { FastifyInstance } from 'fastify';
import buildSerializer, { type Schema } from 'fast-json-stringify';
import * as v from 'valibot';
import { validationErrors } from '../http/api-error.ts';
import { fieldErrors } from './field-errors.ts';
import { serializerSchemaOf } from './json-schema.ts';
import { oncePerSchema } from './once-per-schema.ts';
import { queryError, withAbsent, type QuerySchema } from './query.ts';
import type { FieldError } from '../../domain/errors.ts';

type Validated = { value: unknown } | { error: Error };

const notAnObject: FieldError = {
  field: 'Body',
  path: '',
  code: 'invalid_type',
  message: 'must be of type object',
};

function validateBody(schema: v.GenericSchema, input: unknown): Validated {
  const { output, errors } = parseBody(schema, input);
  return output === null ? { error: validationErrors(...errors) } : { value: output };
}

/** The parsed body; or null, and one entry for each failing field, at most `errorsMax`. */
export function parseBody<TSchema extends v.GenericSchema>(
  schema: TSchema,
  input: unknown,
  errorsMax?: number,
): { readonly output: v.InferOutput<TSchema> | null; readonly errors: readonly FieldError[] } {
  // Valibot accepts an array as an object.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { output: null, errors: [notAnObject] };
  }
  const parsed = v.safeParse(schema, input);
  // A schema of strict objects has an issue for each object with an unknown key.
  const errors =
    parsed.issues === undefined ? [] : fieldErrors(schema, input, parsed.issues, errorsMax);
  return { output: parsed.success && errors.length === 0 ? parsed.output : null, errors };
}

/** One entry for each failing field of a body. */
export const bodyErrors = (schema: v.GenericSchema, input: unknown): readonly FieldError[] =>
  parseBody(schema, input).errors;

function validateQuery(schema: QuerySchema, input: Record<string, unknown>): Validated {
  const parsed = v.safeParse(schema, { ...input });
  const error = queryError(schema, input, parsed.issues?.[0]);
  if (error !== null) return { error };
  return { value: withAbsent(schema, parsed.output as Readonly<Record<string, unknown>>) };
}

const serializerOf = oncePerSchema((schema: v.GenericSchema) => {
  const serialize = buildSerializer(serializerSchemaOf(schema) as Schema);
  return (value: unknown) => serialize(value);
});

/** Makes Fastify validate by Valibot schemas and serialize by code compiled from them at start. */
export function useValibot(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema, httpPart }) => (input: unknown) => {
    if (httpPart === 'body') return validateBody(schema, input);
    if (httpPart === 'querystring')
      return validateQuery(schema as QuerySchema, input as Record<string, unknown>);
    // Handlers check path ids after the body: an invalid uuid is the resource's 404.
    return { value: input };
  });
  app.setSerializerCompiler<v.GenericSchema>(({ schema }) => serializerOf(schema));
}
