import type { Queryable } from '../db/core/client.ts';
import {
  replaceSealedSecrets,
  type ResealedSecret,
  type SealedSecret,
} from '../db/webhooks/sealed-secrets.ts';
import type { Sealer } from '../security/sealer.ts';

/** The secret, or null if it does not open: its key is missing, or its bytes are damaged. */
export function tryOpen(sealer: Sealer, { id, secretSealed }: SealedSecret): string | null {
  try {
    return sealer.open(secretSealed, id);
  } catch {
    return null;
  }
}

/**
 * Seals secrets anew under the first key of the ring, and returns how many. It leaves out those
 * that do not open, and those that changed since they were read.
 */
export function resealSecrets(
  sql: Queryable,
  sealer: Sealer,
  secrets: readonly SealedSecret[],
): Promise<number> {
  const opened = secrets.flatMap((secret): readonly ResealedSecret[] => {
    const text = tryOpen(sealer, secret);
    return text === null ? [] : [{ ...secret, resealed: sealer.seal(text, secret.id) }];
  });
  return opened.length === 0 ? Promise.resolve(0) : replaceSealedSecrets(sql, opened);
}
