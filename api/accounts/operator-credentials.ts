import * as v from 'valibot';
import {
  listCredentials,
  lockCredential,
  setCredentialActive,
} from '../../db/accounts/credentials.ts';
import { findVendor } from '../../db/accounts/vendors.ts';
import { environments } from '../../domain/accounts/credentials.ts';
import { apiError } from '../http/api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { capabilityList } from '../validation/fields.ts';
import {
  capabilitiesExample,
  capabilitiesText,
  createdCredentialResponse,
  credentialAnswer,
  credentialResponse,
} from './responses/credential.ts';
import { issueCredential } from './issue-credential.ts';
import { pathId } from '../validation/path-id.ts';
import { pageParameters, query } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';
import { activeField, switchActive } from '../operator/switch-active.ts';

const createBody = v.strictObject({
  environment: described(
    v.picklist(environments),
    'The environment of the credential. `Production` is the only one.',
    'Production',
  ),
  capabilities: described(capabilityList, capabilitiesText, capabilitiesExample),
});
const activeBody = v.strictObject({ isActive: activeField });
const params = v.object({ id: v.string() });
const tags = ['Operator: vendors'];

/** Vendors' credentials; the first one is always issued here (part 4, Credentials, rule 2). */
export function operatorCredentialRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { role: 'Admin' } as const;
  app.post(
    '/operator/v1/vendors/:id/credentials',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR'] },
      schema: {
        params,
        body: createBody,
        response: { 201: envelope(createdCredentialResponse) },
        tags,
        summary: 'Issue a credential',
        operationId: 'issueCredential',
        description:
          'Issues a credential for a vendor, the onboarding one first of all: vendors can only ' +
          'generate more within what they hold. It is good for 365 days. The answer carries ' +
          '`clientSecret` **this one time**.',
      },
    },
    async (request, reply) => {
      const vendor = await findVendor(sql, pathId(request.params.id, 'NOT_FOUND_VENDOR'));
      if (vendor === null) throw apiError('NOT_FOUND_VENDOR');
      const wanted = { ...request.body, vendorId: vendor.id };
      const issued = await sql.begin((transaction) =>
        issueCredential(transaction, request, wanted),
      );
      return reply.code(201).send(success(issued));
    },
  );
  app.get(
    '/operator/v1/vendors/:id/credentials',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR'] },
      schema: {
        params,
        querystring: query(pageParameters),
        response: { 200: envelope(pageOf(credentialResponse)) },
        tags,
        summary: "List a vendor's credentials",
        operationId: 'listVendorCredentials',
        description:
          "A vendor's credentials of every environment, deactivated and expired ones included, with " +
          'the newest first; never a secret.',
      },
    },
    async (request) => {
      const vendor = await findVendor(sql, pathId(request.params.id, 'NOT_FOUND_VENDOR'));
      if (vendor === null) throw apiError('NOT_FOUND_VENDOR');
      const page = await listCredentials(
        sql,
        { vendorId: vendor.id, environment: null },
        request.query,
      );
      return success(pagePayload(page, request.query, credentialAnswer));
    },
  );
  app.patch(
    '/operator/v1/credentials/:id/active',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_CREDENTIAL'] },
      schema: {
        params,
        body: activeBody,
        response: { 200: envelope(credentialResponse) },
        tags,
        summary: 'Switch a credential on or off',
        operationId: 'setVendorCredentialActive',
        description:
          "Deactivates a vendor's credential, or activates it again, whatever the vendor's others " +
          'hold. Tokens that were fetched with it stay good until they expire, within five minutes.',
      },
    },
    async (request) => {
      const switched = await switchActive(
        sql,
        request,
        { rawId: request.params.id, isActive: request.body.isActive },
        {
          subjectType: 'credential',
          notFound: 'NOT_FOUND_VENDOR_CREDENTIAL',
          lock: lockCredential,
          set: setCredentialActive,
        },
      );
      return success(credentialAnswer(switched));
    },
  );
}
