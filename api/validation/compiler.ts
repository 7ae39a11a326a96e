import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import buildSerializer, { type Schema } from 'fast-json-stringify';
import * as v from 'valibot';
import { ApiError } from '../http/api-error.ts';
import { fieldErrors } from './field-errors.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { queryError, type QuerySchema } from './query.ts';
import { invalidFields, type FieldError } from '../../domain/errors.ts';

/** Types of body, query and answer come from the route's Valibot schemas. */
export interface ValibotTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends v.GenericSchema ? v.InferOutput<this['schema']> : unknown;
  serializer: this['schema'] extends v.GenericSchema ? v.InferInput<this['schema']> : unknown;
}

/** What routes are written against. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ValibotTypeProvider
>;

type Checked = { value: unknown } | { error: Error };

const noObject: FieldError = {
  field: 'Body',
  path: '',
  code: 'invalid_type',
  message: 'must be of type object',
};

function checkBody(schema: v.GenericSchema, input: unknown): Checked {
  const { parsed, errors } = parseBody(schema, input);
  return parsed?.success === true && errors.length === 0
    ? { value: parsed.output }
    : { error: new ApiError(invalidFields(errors).failure) };
}

function parseBody(schema: v.GenericSchema, input: unknown) {
  // Valibot takes a list for an object.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { parsed: null, errors: [noObject] };
  }
  const parsed = v.safeParse(schema, input);
  return { parsed, errors: fieldErrors(schema, input, parsed.issues ?? []) };
}

/** What is wrong with a body, field by field (D3). */
export const bodyErrors = (schema: v.GenericSchema, input: unknown): readonly FieldError[] =>
  parseBody(schema, input).errors;

function checkQuery(schema: QuerySchema, input: Record<string, unknown>): Checked {
  const parsed = v.safeParse(schema, { ...input });
  const error = queryError(schema, input, parsed.issues?.[0]);
  return error === null ? { value: parsed.output } : { error };
}

/** Makes Fastify check and serialise by Valibot schemas. Answers are serialised by compiled code. */
export function useValibot(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema, httpPart }) => (input: unknown) => {
    if (httpPart === 'body') return checkBody(schema, input);
    if (httpPart === 'querystring')
      return checkQuery(schema as QuerySchema, input as Record<string, unknown>);
    // Path ids are judged by the handler: one that is no uuid is the resource's own 404, after the body's check (D6).
    return { value: input };
  });
  app.setSerializerCompiler<v.GenericSchema>(({ schema }) => {
    const serialize = buildSerializer(jsonSchemaOf(schema) as Schema);
    return (value: unknown) => serialize(value);
  });
}
