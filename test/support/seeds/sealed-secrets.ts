import { createCipheriv, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { insertSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { seedVendor } from './seed.ts';

export const newSecretsKey = (): string => randomBytes(32).toString('base64');

/** Seals as the versions before key ids did. */
export function sealWithoutKeyId(keyBase64: string, text: string, owner: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(keyBase64, 'base64'), nonce);
  const ciphertext = cipher.setAAD(Buffer.from(owner)).update(text);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Adds subscriptions, each of a vendor of its own; returns their secrets by their ids. */
export async function seedSecrets(
  sql: Sql,
  count: number,
  seal: (secret: string, id: string) => Uint8Array,
): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  for (let each = 0; each < count; each += 1) {
    const [id, secret, vendorId] = [uuidv7(), newWebhookSecret(), await seedVendor(sql)];
    const url = 'https://vendor.example.org/hook';
    const eventTypes = ['vendor.order.assigned'] as const;
    const secretSealed = seal(secret, id);
    await insertSubscription(sql, { id, vendorId, url, eventTypes, secretSealed });
    secrets.set(id, secret);
  }
  return secrets;
}
