import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { environments } from '../../domain/accounts/credentials.ts';
import { fail } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { described } from '../validation/described.ts';
import { bodyErrors } from '../validation/compiler.ts';

const header = 'X-Service-Environment';
const schema = v.picklist(environments);
const valueOf = ({ headers }: FastifyRequest) => headers[header.toLowerCase()];

/** The header in the reference. {@link requireEnvironment} checks it. */
export const environmentHeader = v.object({
  [header]: described(
    schema,
    'The environment of the credentials. `Production` is the only one.',
    'Production',
  ),
});

/** The environment that a request names, after {@link requireEnvironment}. */
export const environmentOf = (request: FastifyRequest): v.InferOutput<typeof schema> =>
  v.parse(schema, valueOf(request));

/**
 * A `preValidation` hook that requires the header (D52). A missing or unknown value is listed
 * beside the errors of the body (D3).
 */
export const requireEnvironment =
  (body: v.GenericSchema | null) =>
  async (request: FastifyRequest): Promise<void> => {
    const value = valueOf(request);
    if (v.is(schema, value)) return;
    const [code, message] =
      value === undefined
        ? ['required', 'is required']
        : ['not_allowed', `must be one of ${environments.join(', ')}`];
    const headerError = { field: header, path: '', code, message };
    const errors = [headerError, ...(body === null ? [] : bodyErrors(body, request.body))];
    throw new ApiError(fail('VALIDATION_ERRORS', { errors, allowedValues: environments }).failure);
  };
