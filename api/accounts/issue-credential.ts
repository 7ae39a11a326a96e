import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type * as v from 'valibot';
import type { Queryable } from '../../db/core/client.ts';
import { insertCredential, type Credential } from '../../db/accounts/credentials.ts';
import { newCredential } from '../../security/new-credential.ts';
import { audit } from '../operator/audit.ts';
import { credentialAnswer, type createdCredentialResponse } from './responses/credential.ts';

/**
 * Makes a credential, by an operator or by its vendor, and notes it, in the transaction of `sql`. Whether it may be made is the
 * caller's to know. Answers it with its secret, which is shown this one time (D53).
 */
export async function issueCredential(
  sql: Queryable,
  request: FastifyRequest,
  wanted: Pick<Credential, 'vendorId' | 'environment' | 'capabilities'>,
): Promise<v.InferInput<typeof createdCredentialResponse>> {
  const { clientSecret, ...made } = newCredential(new Date());
  const credential = await insertCredential(sql, {
    ...made,
    ...wanted,
    id: uuidv7(),
    isActive: true,
  });
  const answer = credentialAnswer(credential);
  await audit(sql, request, {
    action: 'credential.create',
    subjectType: 'credential',
    subjectId: credential.id,
    before: null,
    after: { vendorId: wanted.vendorId, ...answer },
  });
  return { ...answer, clientSecret };
}
