import { expect, test } from 'vitest';
import { newCredential } from '../../security/new-credential.ts';
import { sha256 } from '../../security/secrets.ts';

test('a credential expires after 365 days and stores only the digest of its secret', () => {
  const made = newCredential(new Date('2027-03-01T10:00:00.000Z'));
  expect(made.expiresAt.toISOString()).toBe('2028-02-29T10:00:00.000Z');
  expect(made.secretSha256).toEqual(sha256(made.clientSecret));
  expect(made.clientSecret).toMatch(/^vs_/);
  expect(made.clientId).toMatch(/^vc_/);
});
