import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { fail } from '../../domain/errors.ts';
import { keyErrors } from '../commands/idempotency-key.ts';
import { ApiError } from '../http/api-error.ts';
import { described } from '../validation/described.ts';
import { bodyErrors } from '../validation/compiler.ts';

const header = 'X-Service-Environment';

/** The header in the reference. {@link requireEnvironment} checks it. */
export const environmentHeader = (environment: Environment) =>
  v.object({
    [header]: described(
      v.picklist([environment]),
      `The environment of the credentials. \`${environment}\` is the only one of this gateway.`,
      environment,
    ),
  });

/**
 * A `preValidation` hook that requires the header with the environment of this installation. A
 * missing or another value is listed beside the errors of the key and of the body.
 */
export const requireEnvironment =
  (environment: Environment, body: v.GenericSchema | null) =>
  async (request: FastifyRequest): Promise<void> => {
    const value = request.headers[header.toLowerCase()];
    if (value === environment) return;
    const [code, message] =
      value === undefined ? ['required', 'is required'] : ['not_allowed', `must be ${environment}`];
    const headerError = { field: header, path: '', code, message };
    const others = body === null ? [] : [...keyErrors(request), ...bodyErrors(body, request.body)];
    const errors = [headerError, ...others];
    const allowedValues = [environment];
    throw new ApiError(fail('VALIDATION_ERRORS', { errors, allowedValues }).failure);
  };
