import * as v from 'valibot';
import {
  listCredentials,
  lockAnyCredential,
  setCredentialActiveByOperator,
} from '../../db/accounts/credentials.ts';
import { findVendor, lockVendor } from '../../db/accounts/vendors.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { switchActive } from '../operator/switch-active.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { activeBody, capabilityList } from '../validation/fields.ts';
import { issueCredential } from './issue-credential.ts';
import {
  capabilitiesText,
  createdCredentialResponse,
  toCredentialResponse,
  credentialResponse,
  environmentText,
} from './responses/credential.ts';

/** The body of an operator's credential for a vendor. */
export const issueBody = (environment: Environment) =>
  v.strictObject({
    environment: described(v.picklist([environment]), environmentText, environment),
    capabilities: described(capabilityList, ...capabilitiesText),
  });

/** Vendors' credentials. Operators issue the first one (part 4, Credentials, rule 2). */
export const operatorCredentialRoutes: AddRoutes = (app, { environment, sql, lists }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: vendors' });
  route({
    at: 'POST /operator/v1/vendors/:id/credentials',
    operationId: 'issueCredential',
    summary: 'Issue a credential',
    description:
      "Issues a credential for a vendor, valid for 365 days. A vendor's first credential comes " +
      'from here: vendors can generate more, but only within the capabilities that they hold. ' +
      'A vendor has at most twenty, inactive and expired ones included. ' +
      'The response contains `clientSecret` **this one time**.',
    body: issueBody(environment),
    payload: createdCredentialResponse,
    statuses: [201],
    notFound: 'NOT_FOUND_VENDOR',
    refusals: ['BUSINESS_VENDOR_CREDENTIAL_LIMIT'],
    handler: async ({ id, body, request, sql: commands }) => {
      const vendor = orNotFound(await findVendor(commands, id), 'NOT_FOUND_VENDOR');
      return commands.begin(async (transaction) => {
        await lockVendor(transaction, vendor.id);
        return issueCredential(transaction, request, { ...body, vendorId: vendor.id });
      });
    },
  });
  route({
    at: 'GET /operator/v1/vendors/:id/credentials',
    operationId: 'listVendorCredentials',
    summary: "List a vendor's credentials",
    description:
      "Lists a vendor's credentials of every environment, newest first, deactivated and " +
      'expired ones included. It never shows a secret.',
    payload: pageOf(credentialResponse),
    notFound: 'NOT_FOUND_VENDOR',
    handler: async ({ id, page }) => {
      const vendor = orNotFound(await findVendor(sql, id), 'NOT_FOUND_VENDOR');
      const filter = { vendorId: vendor.id, environment: null };
      return mapItems(await listCredentials(lists, filter, page), toCredentialResponse);
    },
  });
  route({
    at: 'PATCH /operator/v1/credentials/:id/active',
    operationId: 'setVendorCredentialActive',
    summary: 'Switch a credential on or off',
    description:
      "Deactivates a vendor's credential or activates it again. The capabilities of the " +
      "vendor's other credentials do not matter. Bulk jobs that it started end. Tokens fetched " +
      'before stay valid until they expire, within five minutes, but generate, switch and ' +
      'delete no credential. The vendor cannot activate the credential again; only an operator ' +
      'can.',
    body: activeBody,
    payload: credentialResponse,
    notFound: 'NOT_FOUND_VENDOR_CREDENTIAL',
    handler: async (call) => {
      const switched = await switchActive(sql, call, {
        type: 'credential',
        notFound: 'NOT_FOUND_VENDOR_CREDENTIAL',
        lock: lockAnyCredential,
        set: setCredentialActiveByOperator,
      });
      return toCredentialResponse(switched);
    },
  });
};
