import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import { v7 as uuidv7 } from 'uuid';
import {
  countCredentials,
  credentialsMax,
  insertCredential,
  type Credential,
} from '../../db/accounts/credentials.ts';
import type { Queryable } from '../../db/core/client.ts';
import { newCredential } from '../../security/secrets.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { toCredentialResponse, type createdCredentialResponse } from './responses/credential.ts';

/**
 * Creates a credential with an audit entry, in the caller's transaction. The caller has checked the
 * grant and holds the lock of `lockVendor`, so that concurrent creations count one after another.
 * Returns it with its secret, which no later response shows. Throws
 * BUSINESS_VENDOR_CREDENTIAL_LIMIT when the vendor has {@link credentialsMax}.
 */
export async function issueCredential(
  sql: Queryable,
  request: FastifyRequest,
  grant: Pick<Credential, 'vendorId' | 'environment' | 'capabilities'>,
): Promise<v.InferInput<typeof createdCredentialResponse>> {
  if ((await countCredentials(sql, grant.vendorId)) >= credentialsMax)
    throw apiError('BUSINESS_VENDOR_CREDENTIAL_LIMIT', { reason: 'TOTAL_LIMIT' });
  const { clientSecret, ...generated } = newCredential(new Date());
  const credential = await insertCredential(sql, {
    ...generated,
    ...grant,
    id: uuidv7(),
    isActive: true,
  });
  const response = toCredentialResponse(credential);
  const after = { vendorId: grant.vendorId, ...response };
  await audit(sql, request, 'credential.create', credential.id, { before: null, after });
  return { ...response, clientSecret };
}
