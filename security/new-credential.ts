import { newClientId, newSecret, sha256 } from './secrets.ts';

const lifetimeDays = 365;

/** The generated parts of a credential, which expires after 365 days (D53). */
export function newCredential(now: Date): {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secretSha256: Uint8Array;
  readonly expiresAt: Date;
} {
  const clientSecret = newSecret('vs');
  return {
    clientId: newClientId(),
    clientSecret,
    secretSha256: sha256(clientSecret),
    expiresAt: new Date(now.getTime() + lifetimeDays * 24 * 3_600_000),
  };
}
