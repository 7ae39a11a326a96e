import type { Queryable } from '../db/core/client.ts';
import {
  replaceSealedSecrets,
  type ResealedSecret,
  type SealedSecret,
} from '../db/webhooks/subscriptions/sealed-secrets.ts';
import type { Sealer } from '../security/sealer.ts';
import { openHeaders, sealHeaders, type SealableHeaders } from '../security/webhook-headers.ts';

/**
 * The content of a sealed value; null if it does not open, because its key is missing or its bytes
 * are damaged.
 */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** The secret, or null if it does not open. */
export const tryOpen = (sealer: Sealer, { id, secretSealed }: SealedSecret): string | null =>
  opened(() => sealer.open(secretSealed, id));

/** The custom headers, or null if they do not open. */
export const tryOpenHeaders = (
  sealer: Sealer,
  { id, headersSealed }: SealedSecret,
): SealableHeaders | null => opened(() => openHeaders(sealer, headersSealed, id));

/** A row that is sealed again, as far as it opens; null if nothing opens. */
function resealed(sealer: Sealer, secret: SealedSecret): ResealedSecret | null {
  const { id, secretSealed, headersSealed } = secret;
  const text = tryOpen(sealer, secret);
  const headers = headersSealed === null ? null : tryOpenHeaders(sealer, secret);
  if (text === null && headers === null) return null;
  return {
    ...secret,
    resealed: {
      secretSealed: text === null ? secretSealed : sealer.seal(text, id),
      headersSealed: headers === null ? headersSealed : sealHeaders(sealer, headers, id),
    },
  };
}

/**
 * Seals secrets and custom headers again under the first key of the ring, and returns the number of
 * subscriptions. It leaves out values that do not open, and those that changed since they were
 * read.
 */
export function resealSecrets(
  sql: Queryable,
  sealer: Sealer,
  secrets: readonly SealedSecret[],
): Promise<number> {
  const anew = secrets.flatMap((secret) => resealed(sealer, secret) ?? []);
  return anew.length === 0 ? Promise.resolve(0) : replaceSealedSecrets(sql, anew);
}
