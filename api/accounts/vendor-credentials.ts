import * as v from 'valibot';
import {
  deleteCredential,
  heldCapabilities,
  listCredentials,
  lockCredentialsOf,
  lockOwnCredential,
  setCredentialActive,
} from '../../db/accounts/credentials.ts';
import { checkGrant } from '../../domain/accounts/credentials.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { deletedResponse } from '../validation/response-parts.ts';
import { activeBody, capabilityList } from '../validation/fields.ts';
import { pageParameters, query } from '../validation/query.ts';
import { environmentHeader, environmentOf, requireEnvironment } from './environment-header.ts';
import { issueCredential } from './issue-credential.ts';
import {
  capabilitiesText,
  createdCredentialResponse,
  credentialAnswer,
  credentialResponse,
} from './responses/credential.ts';

const tag = 'Credentials';
const notFound = 'NOT_FOUND_VENDOR_CREDENTIAL';
const grantRefusals = [
  'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
  'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
] as const;
const generateBody = v.strictObject({
  capabilities: described(capabilityList, ...capabilitiesText),
});

/** A vendor's own credentials: list, generate, delete, switch on or off (part 4, Credentials). */
export const vendorCredentialRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = vendorRoutes(app, { capability: 'Account', tag });
  vendorRoutes(app, { capability: null, tag })(
    'GET /api/v1/credentials',
    {
      operationId: 'listCredentials',
      summary: 'List your credentials',
      description:
        'Lists your credentials of one environment, newest first, deactivated and expired ones ' +
        'included. It never shows a secret.',
      preValidation: requireEnvironment(null),
      headers: environmentHeader,
      query: query(pageParameters),
      payload: pageOf(credentialResponse),
    },
    async ({ caller: { vendorId }, query: page, request }) => {
      const filter = { vendorId, environment: environmentOf(request) };
      return pagePayload(await listCredentials(lists, filter, page), page, credentialAnswer);
    },
  );
  route(
    'DELETE /api/v1/credentials/:id',
    {
      operationId: 'deleteCredential',
      summary: 'Delete a credential permanently',
      description:
        'Deletes a credential permanently. It gets no new tokens. Tokens fetched with it before ' +
        'stay valid until they expire, within five minutes.',
      payload: deletedResponse,
      notFound,
    },
    async ({ caller: { vendorId }, id, request }) => {
      await sql.begin(async (transaction) => {
        const before = orNotFound(await lockOwnCredential(transaction, vendorId, id), notFound);
        await deleteCredential(transaction, id);
        await audit(transaction, request, 'credential.delete', id, {
          before: { vendorId, ...credentialAnswer(before) },
          after: null,
        });
      });
      return { deleted: true };
    },
  );
  route(
    'POST /api/v1/credentials',
    {
      operationId: 'createCredential',
      summary: 'Generate a credential',
      description:
        'Generates a credential that is valid for 365 days. You can grant only capabilities that ' +
        'your active credentials of all environments hold together. An operator issues your ' +
        'first credential. The answer contains `clientSecret` **this one time**. Each call ' +
        'generates another credential.',
      preValidation: requireEnvironment(generateBody),
      headers: environmentHeader,
      body: generateBody,
      payload: createdCredentialResponse,
      statuses: [201],
      refusals: grantRefusals,
    },
    async ({ caller: { vendorId }, body, request }) =>
      sql.begin(async (transaction) => {
        // Under the lock, the second of two concurrent commands sees what the first one stored.
        await lockCredentialsOf(transaction, vendorId);
        const held = await heldCapabilities(transaction, vendorId);
        const capabilities = unwrap(checkGrant(body.capabilities, held));
        const environment = environmentOf(request);
        return issueCredential(transaction, request, { vendorId, environment, capabilities });
      }),
  );
  route(
    'PATCH /api/v1/credentials/:id/active',
    {
      operationId: 'setCredentialActive',
      summary: 'Switch a credential on or off',
      description:
        'Deactivates a credential or activates it again. To become active, a credential may hold ' +
        'only capabilities that your other active credentials hold together. You can deactivate ' +
        'every credential, including the last one and the one you call with. Tokens fetched ' +
        'before stay valid until they expire. Sending the present state changes nothing.',
      body: activeBody,
      payload: credentialResponse,
      notFound,
      refusals: grantRefusals,
    },
    async ({ caller: { vendorId }, id, body: { isActive }, request }) => {
      const after = await sql.begin(async (transaction) => {
        const before = orNotFound(await lockOwnCredential(transaction, vendorId, id), notFound);
        if (before.isActive === isActive) return before;
        if (isActive)
          unwrap(checkGrant(before.capabilities, await heldCapabilities(transaction, vendorId)));
        await setCredentialActive(transaction, id, isActive);
        await audit(transaction, request, 'credential.active', id, {
          before: { isActive: before.isActive },
          after: { isActive },
        });
        return { ...before, isActive };
      });
      return credentialAnswer(after);
    },
  );
};
