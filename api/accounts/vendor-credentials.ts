import * as v from 'valibot';
import {
  deleteCredential,
  heldCapabilities,
  isRevoked,
  listCredentials,
  lockCredential,
  setCredentialActive,
} from '../../db/accounts/credentials.ts';
import { findVendor, lockVendor } from '../../db/accounts/vendors.ts';
import type { Queryable } from '../../db/core/client.ts';
import { checkGrant } from '../../domain/accounts/credentials.ts';
import { apiError, orNotFound, unwrap } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { deletedResponse } from '../validation/response-parts.ts';
import { activeBody, capabilityList } from '../validation/fields.ts';
import { environmentHeader, requireEnvironment } from './environment-header.ts';
import { issueCredential } from './issue-credential.ts';
import {
  capabilitiesText,
  createdCredentialResponse,
  toCredentialResponse,
  credentialResponse,
} from './responses/credential.ts';

const tag = 'Credentials';
const notFound = 'NOT_FOUND_VENDOR_CREDENTIAL';
const grantRefusals = [
  'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
  'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
] as const;
/** The body of a generation. */
export const generateBody = v.strictObject({
  capabilities: described(capabilityList, ...capabilitiesText),
});

const revoked = () => apiError('FORBIDDEN', { reason: 'CREDENTIAL_REVOKED' });

/**
 * Locks the vendor, and so its credentials. Throws FORBIDDEN for a caller whose credential an
 * operator switched off or whose vendor is inactive, although its token is valid. The lock orders
 * this check and an operator's switch.
 */
async function lockForCaller(sql: Queryable, caller: VendorCaller): Promise<void> {
  await lockVendor(sql, caller.vendorId);
  await requireActive(sql, caller);
}

async function requireActive(sql: Queryable, caller: VendorCaller): Promise<void> {
  if (await isRevoked(sql, caller.credentialId)) throw revoked();
  const vendor = await findVendor(sql, caller.vendorId);
  if (vendor?.isActive !== true) throw apiError('FORBIDDEN', { reason: 'VENDOR_INACTIVE' });
}

/** A vendor's own credentials: list, generate, delete, switch on or off (part 4, Credentials). */
export const vendorCredentialRoutes: AddRoutes = (app, { environment, sql, lists }) => {
  const route = vendorRoutes(app, { capability: 'Account', tag });
  vendorRoutes(app, { capability: null, tag })({
    at: 'GET /api/v1/credentials',
    operationId: 'listCredentials',
    summary: 'List your credentials',
    description:
      'Lists your credentials of one environment, newest first, deactivated and expired ones ' +
      'included. It never shows a secret.',
    preValidation: requireEnvironment(environment, null),
    headers: environmentHeader(environment),
    payload: pageOf(credentialResponse),
    handler: async ({ caller: { vendorId }, page }) => {
      const filter = { vendorId, environment };
      return mapItems(await listCredentials(lists, filter, page), toCredentialResponse);
    },
  });
  route({
    at: 'DELETE /api/v1/credentials/:id',
    operationId: 'deleteCredential',
    summary: 'Delete a credential permanently',
    description:
      'Deletes a credential permanently. It gets no new tokens, and jobs that it started end. ' +
      'Tokens fetched with it before stay valid until they expire, within five minutes.',
    payload: deletedResponse,
    notFound,
    handler: async ({ caller, id, request }) => {
      const { vendorId } = caller;
      await sql.begin(async (transaction) => {
        await lockForCaller(transaction, caller);
        const before = orNotFound(await lockCredential(transaction, id, vendorId), notFound);
        await deleteCredential(transaction, id);
        await audit(transaction, request, 'credential.delete', id, {
          before: { vendorId, ...toCredentialResponse(before) },
          after: null,
        });
      });
      return { deleted: true };
    },
  });
  route({
    at: 'POST /api/v1/credentials',
    operationId: 'createCredential',
    summary: 'Generate a credential',
    description:
      'Generates a credential that is valid for 365 days. You can grant only capabilities that ' +
      'your active credentials of all environments hold together. An operator issues your ' +
      'first credential. You can have twenty, inactive and expired ones included; deleted ones ' +
      'do not count. The response contains `clientSecret` **this one time**: only a call with ' +
      'the `Idempotency-Key` of the first gets it again. Each other call generates another ' +
      'credential.',
    preValidation: requireEnvironment(environment, generateBody),
    headers: environmentHeader(environment),
    body: generateBody,
    payload: createdCredentialResponse,
    statuses: [201],
    makesSecret: true,
    refusals: [...grantRefusals, 'BUSINESS_VENDOR_CREDENTIAL_LIMIT'],
    handler: async ({ caller, body, request, sql: commands }) =>
      commands.begin(async (transaction) => {
        const { vendorId } = caller;
        // Under the lock, the second of two concurrent commands sees what the first one stored.
        await lockForCaller(transaction, caller);
        const held = await heldCapabilities(transaction, vendorId);
        const capabilities = unwrap(checkGrant(body.capabilities, held));
        return issueCredential(transaction, request, { vendorId, environment, capabilities });
      }),
    // The secret is for no caller who could not create a credential now.
    mayRepeat: ({ caller }) => requireActive(sql, caller),
  });
  route({
    at: 'PATCH /api/v1/credentials/:id/active',
    operationId: 'setCredentialActive',
    summary: 'Switch a credential on or off',
    description:
      'Deactivates a credential or activates it again. To become active, a credential may hold ' +
      'only capabilities that your other active credentials hold together. You can deactivate ' +
      'every credential, including the last one and the one you call with. Jobs that a ' +
      'credential started end when it is deactivated. Tokens fetched before stay valid until ' +
      'they expire. Sending the present state changes nothing. Only an operator activates ' +
      'again what an operator switched off.',
    body: activeBody,
    payload: credentialResponse,
    notFound,
    refusals: grantRefusals,
    handler: async ({ caller, id, body: { isActive }, request }) => {
      const { vendorId } = caller;
      const after = await sql.begin(async (transaction) => {
        await lockForCaller(transaction, caller);
        const before = orNotFound(await lockCredential(transaction, id, vendorId), notFound);
        if (before.isActive === isActive) return before;
        if (isActive && (await isRevoked(transaction, id))) throw revoked();
        if (isActive)
          unwrap(checkGrant(before.capabilities, await heldCapabilities(transaction, vendorId)));
        await setCredentialActive(transaction, id, isActive);
        await audit(transaction, request, 'credential.active', id, {
          before: { isActive: before.isActive },
          after: { isActive },
        });
        return { ...before, isActive };
      });
      return toCredentialResponse(after);
    },
  });
};
