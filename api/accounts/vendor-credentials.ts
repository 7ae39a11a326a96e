import * as v from 'valibot';
import {
  deleteCredential,
  listCredentials,
  lockOwnCredential,
} from '../../db/accounts/credentials.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { environmentHeader, environmentOf, requireEnvironment } from './environment-header.ts';
import { credentialAnswer, credentialResponse } from './responses/credential.ts';
import { pathId } from '../validation/path-id.ts';
import { pageParameters, query } from '../validation/query.ts';
import { deletedResponse } from '../validation/response-parts.ts';
import type { Routes } from '../validation/compiler.ts';

const tags = ['Credentials'];

/** A vendor's own credentials: listed and deleted (part 4, Credentials). */
export function credentialsRoutes(app: Routes, dependencies: Dependencies): void {
  listRoute(app, dependencies);
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
        response: { 200: envelope(pageOf(credentialResponse)) },
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

/** `DELETE /api/v1/credentials/{id}`: for ever; tokens already fetched with it stay good until they expire (D58). */
function deleteRoute(app: Routes, { sql }: Dependencies): void {
  app.delete(
    '/api/v1/credentials/:id',
    {
      config: { capability: 'Account', refusals: ['NOT_FOUND_VENDOR_CREDENTIAL'] },
      schema: {
        params: v.object({ id: v.string() }),
        response: { 200: envelope(deletedResponse) },
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
