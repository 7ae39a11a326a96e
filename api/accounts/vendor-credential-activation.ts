import * as v from 'valibot';
import {
  heldCapabilities,
  lockOwnCredential,
  setCredentialActive,
} from '../../db/accounts/credentials.ts';
import { mayGrant } from '../../domain/accounts/credentials.ts';
import { apiError, unwrap } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { credentialAnswer, credentialResponse } from './responses/credential.ts';
import { activeField } from '../operator/switch-active.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

/**
 * `PATCH /api/v1/credentials/{id}/active`: a credential that is to be active again may hold no more than the other active ones
 * together, as a new one may (D55). One that is active already stays so.
 */
export function credentialsSwitchRoute(app: Routes, { sql }: Dependencies): void {
  app.patch(
    '/api/v1/credentials/:id/active',
    {
      config: {
        capability: 'Account',
        refusals: [
          'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
          'NOT_FOUND_VENDOR_CREDENTIAL',
          'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
        ],
      },
      schema: {
        params: v.object({ id: v.string() }),
        body: v.strictObject({ isActive: activeField }),
        response: { 200: envelope(credentialResponse) },
        tags: ['Credentials'],
        summary: 'Switch a credential on or off',
        operationId: 'setCredentialActive',
        description:
          'Deactivates a credential, or activates it again. What is to become active may hold no ' +
          'more capabilities than your other active credentials together. Any credential may be ' +
          "switched off, the last one and the caller's own included; tokens that were fetched stay " +
          'good until they expire. The state that it has already changes nothing.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const { isActive } = request.body;
      const id = pathId(request.params.id, 'NOT_FOUND_VENDOR_CREDENTIAL');
      const after = await sql.begin(async (transaction) => {
        const before = await lockOwnCredential(transaction, vendorId, id);
        if (before === null) throw apiError('NOT_FOUND_VENDOR_CREDENTIAL');
        if (before.isActive === isActive) return before;
        if (isActive)
          unwrap(mayGrant(before.capabilities, await heldCapabilities(transaction, vendorId)));
        await setCredentialActive(transaction, id, isActive);
        await audit(transaction, request, {
          action: 'credential.active',
          subjectType: 'credential',
          subjectId: id,
          before: { isActive: before.isActive },
          after: { isActive },
        });
        return { ...before, isActive };
      });
      return success(credentialAnswer(after));
    },
  );
}
