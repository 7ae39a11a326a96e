import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Queryable } from '../../db/core/client.ts';
import { heldCapabilities, lockCredentialsOf } from '../../db/accounts/credentials.ts';
import { mayGrant } from '../../domain/accounts/credentials.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { environmentHeader, environmentOf, requireEnvironment } from './environment-header.ts';
import { described } from '../validation/described.ts';
import { capabilityList } from '../validation/fields.ts';
import {
  capabilitiesExample,
  capabilitiesText,
  createdCredentialResponse,
} from './responses/credential.ts';
import { issueCredential } from './issue-credential.ts';
import type { Routes } from '../validation/compiler.ts';

const generateBody = v.strictObject({
  capabilities: described(capabilityList, capabilitiesText, capabilitiesExample),
});

/** `POST /api/v1/credentials`: never more than the vendor's active credentials hold together (rules 1 and 2). */
export function credentialsGenerateRoute(app: Routes, { sql }: Dependencies): void {
  app.post(
    '/api/v1/credentials',
    {
      config: {
        capability: 'Account',
        refusals: [
          'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
          'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
        ],
      },
      preValidation: requireEnvironment(generateBody),
      schema: {
        headers: environmentHeader,
        body: generateBody,
        response: { 201: envelope(createdCredentialResponse) },
        tags: ['Credentials'],
        summary: 'Generate a credential',
        operationId: 'createCredential',
        description:
          'Generates a credential that is good for 365 days. Its capabilities may not exceed what ' +
          'your active credentials hold together, in every environment; the very first credential ' +
          'is issued by the operator. The answer carries `clientSecret` **this one time**. Each ' +
          'call makes another credential.',
      },
    },
    async (request, reply) => {
      const generated = await sql.begin((transaction) => generate(transaction, request));
      return reply.code(201).send(success(generated));
    },
  );
}

/** What the vendor holds is read under its lock: of two commands on its credentials, the second sees what the first left. */
async function generate(
  sql: Queryable,
  request: FastifyRequest<{ Body: v.InferOutput<typeof generateBody> }>,
): ReturnType<typeof issueCredential> {
  const { vendorId } = vendorOf(request);
  await lockCredentialsOf(sql, vendorId);
  const held = await heldCapabilities(sql, vendorId);
  const capabilities = unwrap(mayGrant(request.body.capabilities, held));
  return issueCredential(sql, request, {
    vendorId,
    environment: environmentOf(request),
    capabilities,
  });
}
