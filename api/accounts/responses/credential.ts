import * as v from 'valibot';
import type { Credential } from '../../../db/accounts/credentials.ts';
import { formatCapabilities } from '../../../domain/accounts/capabilities.ts';
import { id, instant } from '../../validation/response-parts.ts';

/** The credential of part 2; the secret is never part of it. */
export const credentialResponse = v.object({
  id,
  environment: v.string(),
  clientId: v.string(),
  capabilities: v.string(),
  expirationDate: instant,
  isActive: v.boolean(),
  createdAt: instant,
});

/** The one answer that carries the secret (D53). */
export const createdCredentialResponse = v.object({
  ...credentialResponse.entries,
  clientSecret: v.string(),
});

export const credentialAnswer = (
  credential: Credential,
): v.InferInput<typeof credentialResponse> => ({
  id: credential.id,
  environment: credential.environment,
  clientId: credential.clientId,
  capabilities: formatCapabilities(credential.capabilities),
  expirationDate: credential.expiresAt.toISOString(),
  // An expired credential is not active (D53).
  isActive: credential.isActive && credential.expiresAt > new Date(),
  createdAt: credential.createdAt.toISOString(),
});
