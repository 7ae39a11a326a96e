import type { Queryable } from '../db/core/client.ts';
import { countSecretsByHeader } from '../db/webhooks/subscriptions/sealed-secrets.ts';
import { keyIdOf, sealMagic, type Sealer } from '../security/sealer.ts';

/** How many webhook secrets are sealed under which keys. */
export type SecretCounts = {
  /** Under the first key. */
  readonly current: number;
  /** Under another key of the ring, or without the id of a key. */
  readonly previous: number;
  /** Under keys that the ring does not have. */
  readonly missing: number;
  /** The ids of the keys that the ring does not have. */
  readonly missingKeyIds: readonly string[];
};

export async function countSecrets(sql: Queryable, sealer: Sealer): Promise<SecretCounts> {
  const counts = { current: 0, previous: 0, missing: 0 };
  const missingKeyIds: string[] = [];
  const layout = { magic: sealMagic, headerBytes: sealer.header.length };
  for (const { header, secrets } of await countSecretsByHeader(sql, layout)) {
    const keyId = header === null ? null : keyIdOf(header);
    const isMissing = keyId !== null && !sealer.keyIds.includes(keyId);
    if (isMissing) missingKeyIds.push(keyId);
    counts[keyId === sealer.keyIds[0] ? 'current' : isMissing ? 'missing' : 'previous'] += secrets;
  }
  return { ...counts, missingKeyIds: missingKeyIds.toSorted() };
}
