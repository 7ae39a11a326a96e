import { generateKeyPairSync } from 'node:crypto';

/** A private Ed25519 key as PEM. */
export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
