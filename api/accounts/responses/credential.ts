import type * as v from 'valibot';
import type { Credential } from '../../../db/accounts/credentials.ts';
import { formatCapabilities } from '../../../domain/accounts/capabilities.ts';
import { field, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** What the capabilities allow, for every field that names them. */
export const capabilitiesText = [
  'The capabilities as a comma-separated list, in responses in this order. `Offers`: submit and ' +
    'update offers. `Stock`: push stock. `Cost`: push cost and sale price. `Orders`: shipments, ' +
    'returns and webhooks. `Account`: credentials and profile.',
  'Offers,Stock,Cost,Orders,Account',
] as const;

export const environmentText = 'The environment of the credential: that of this gateway.';

/** The credential of part 2; the secret is never part of it. */
export const credentialResponse = titled('Credential', {
  id: field.id("The credential's id.", sample.credentialId),
  environment: field.text(environmentText, 'Production'),
  clientId: field.text("The credential's public name.", sample.clientId),
  capabilities: field.text(...capabilitiesText),
  expirationDate: field.instant(
    'When the credential expires, in real time, in UTC: 365 days after its creation.',
    '2027-11-01T12:00:00.000Z',
  ),
  isActive: field.flag(
    'Whether the credential can get tokens; false also after it has expired.',
    true,
  ),
  createdAt: field.instant(
    'When the credential was created, in real time, in UTC.',
    sample.credentialCreatedAt,
  ),
});

/** The only response that carries the secret. */
export const createdCredentialResponse = titled('CreatedCredential', {
  ...credentialResponse.entries,
  clientSecret: field.text(
    'The secret. No later response returns it; keep it in a secret store.',
    sample.clientSecret,
  ),
});

export const toCredentialResponse = (
  credential: Credential,
): v.InferInput<typeof credentialResponse> => ({
  id: credential.id,
  environment: credential.environment,
  clientId: credential.clientId,
  capabilities: formatCapabilities(credential.capabilities),
  expirationDate: credential.expiresAt,
  // An expired credential is not active.
  isActive: credential.isActive && credential.expiresAt > new Date(),
  createdAt: credential.createdAt,
});
