import { newClientId, newSecret, sha256 } from './secrets.ts';

const lifetimeDays = 365;

/** The parts of a new credential that are made, not given. It expires 365 days on (D53); the secret is shown once. */
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
