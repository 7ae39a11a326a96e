import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { environments } from '../../domain/accounts/credentials.ts';
import { fail, type FieldError } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { bodyErrors } from '../validation/compiler.ts';
import { described } from '../validation/described.ts';

const name = 'X-Service-Environment';
export type Environment = (typeof environments)[number];

/** The header in the OpenAPI document; {@link requireEnvironment} validates it. */
export const environmentHeader = v.object({
  'X-Service-Environment': described(
    v.picklist(environments),
    'The environment of the credentials. `Production` is the only one.',
    'Production',
  ),
});

const isEnvironment = (value: unknown): value is Environment =>
  typeof value === 'string' && (environments as readonly string[]).includes(value);

const entry = (code: string, message: string): FieldError => ({
  field: name,
  path: '',
  code,
  message,
});

/** The environment a request names. */
export function environmentOf(request: FastifyRequest): Environment {
  const value = request.headers['x-service-environment'];
  if (!isEnvironment(value)) throw new Error('the header was not checked');
  return value;
}

/** A `preValidation` hook: a missing or unknown environment is told beside what is wrong with the body (D3, D52). */
export const requireEnvironment =
  (body: v.GenericSchema | null) =>
  async (request: FastifyRequest): Promise<void> => {
    const value = request.headers['x-service-environment'];
    if (isEnvironment(value)) return;
    const fault =
      value === undefined
        ? entry('required', 'is required')
        : entry('not_allowed', `must be one of ${environments.join(', ')}`);
    const errors = [fault, ...(body === null ? [] : bodyErrors(body, request.body))];
    throw new ApiError(fail('VALIDATION_ERRORS', { errors, allowedValues: environments }).failure);
  };
