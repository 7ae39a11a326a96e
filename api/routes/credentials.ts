import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import {
  deleteCredential,
  heldCapabilities,
  insertCredential,
  listCredentials,
  lockCredentialsOf,
  lockOwnCredential,
} from '../../db/credentials.ts';
import { mayGrant } from '../../domain/credentials.ts';
import { newCredential } from '../../security/new-credential.ts';
import { apiError, valueOf } from '../api-error.ts';
import { audit } from '../audit.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../envelope.ts';
import { environmentHeader, environmentOf, requireEnvironment } from '../environment-header.ts';
import { capabilityList } from '../fields.ts';
import { createdCredentialForm, credentialAnswer, credentialForm } from '../forms/credential.ts';
import { pathId } from '../path-id.ts';
import { pageParameters, query } from '../query.ts';
import type { Routes } from '../validation.ts';

const generateBody = v.strictObject({ capabilities: capabilityList });
const tags = ['Credentials'];

/** A vendor's own credentials: listed, generated, deleted (part 4, Credentials). */
export function credentialsRoutes(app: Routes, dependencies: Dependencies): void {
  listRoute(app, dependencies);
  generateRoute(app, dependencies);
  deleteRoute(app, dependencies);
}

/** `GET /api/v1/credentials`: of one environment, newest first, deactivated ones included; any token will do. */
function listRoute(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/api/v1/credentials',
    {
      config: { capability: null },
      preValidation: requireEnvironment(null),
      schema: {
        headers: environmentHeader,
        querystring: query(pageParameters),
        response: { 200: envelope(pageOf(credentialForm)) },
        tags,
        summary: 'List your credentials',
        operationId: 'listCredentials',
        description:
          'Your credentials of one environment, deactivated and expired ones included, with the ' +
          'newest first. Any token will do, whatever its capabilities. Secrets are never in it.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const of = { vendorId, environment: environmentOf(request) };
      return success(
        pagePayload(await listCredentials(sql, of, request.query), request.query, credentialAnswer),
      );
    },
  );
}

/** `POST /api/v1/credentials`: never more than the vendor's active credentials hold together (rules 1 and 2). */
function generateRoute(app: Routes, { sql }: Dependencies): void {
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
        response: { 201: envelope(createdCredentialForm) },
        tags,
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
      const { vendorId } = vendorOf(request);
      const environment = environmentOf(request);
      const { clientSecret, ...made } = newCredential(new Date());
      const created = await sql.begin(async (transaction) => {
        await lockCredentialsOf(transaction, vendorId);
        const held = await heldCapabilities(transaction, vendorId);
        const capabilities = valueOf(mayGrant(request.body.capabilities, held));
        const credential = await insertCredential(transaction, {
          ...made,
          id: uuidv7(),
          vendorId,
          environment,
          capabilities,
          isActive: true,
        });
        await audit(transaction, request, {
          action: 'credential.create',
          subjectType: 'credential',
          subjectId: credential.id,
          before: null,
          after: { vendorId, ...credentialAnswer(credential) },
        });
        return credential;
      });
      return reply.code(201).send(success({ ...credentialAnswer(created), clientSecret }));
    },
  );
}

/** `DELETE /api/v1/credentials/{id}`: for ever; tokens already fetched with it stay good until they expire (D58). */
function deleteRoute(app: Routes, { sql }: Dependencies): void {
  app.delete(
    '/api/v1/credentials/:id',
    {
      config: { capability: 'Account', refusals: ['NOT_FOUND_VENDOR_CREDENTIAL'] },
      schema: {
        params: v.object({ id: v.string() }),
        response: { 200: envelope(v.object({ deleted: v.boolean() })) },
        tags,
        summary: 'Delete a credential for ever',
        operationId: 'deleteCredential',
        description:
          'Deletes a credential for ever. No token is made of it any more; tokens that were fetched ' +
          'with it stay good until they expire, within five minutes.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const id = pathId(request.params.id, 'NOT_FOUND_VENDOR_CREDENTIAL');
      await sql.begin(async (transaction) => {
        const before = await lockOwnCredential(transaction, vendorId, id);
        if (before === null) throw apiError('NOT_FOUND_VENDOR_CREDENTIAL');
        await deleteCredential(transaction, id);
        await audit(transaction, request, {
          action: 'credential.delete',
          subjectType: 'credential',
          subjectId: id,
          before: { vendorId, ...credentialAnswer(before) },
          after: null,
        });
      });
      return success({ deleted: true });
    },
  );
}
