import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../../db/core/client.ts';
import { inTransaction } from '../../db/core/transaction.ts';
import {
  findKeptResponse,
  lockKey,
  storeKey,
  type KeptResponse,
} from '../../db/idempotency/idempotency-keys.ts';
import { sameDigest } from '../../security/secrets.ts';
import type { Sealer } from '../../security/sealer.ts';
import type { Caller } from '../auth/tokens.ts';
import { apiError } from '../http/api-error.ts';
import { keyId, keyRefusal, repeatedHeader, requestSha256 } from './idempotency-key.ts';

/** The dependencies for keeping the responses of calls with a key. */
export type CommandStore = { readonly sql: Sql; readonly sealer: Sealer };

/** The result of a command: its status, and the envelope or a file. */
export type Result = {
  readonly status: number;
  readonly envelope: object;
};

export type KeyedCall = {
  readonly caller: Caller;
  readonly key: string;
  /** A reset of a sandbox keeps what the call has made. */
  readonly staysAfterReset: boolean;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Waits before the transaction of the command begins. A repeated response skips it. */
  readonly prepare: (() => Promise<void>) | undefined;
  /** Throws for a caller that may no longer read the response of its earlier call. */
  readonly mayRepeat: (() => Promise<void>) | undefined;
  /** Runs the command, with a key in a transaction. */
  readonly run: (sql: Sql) => Promise<Result>;
};

/**
 * Runs a call once for its key, and returns the text of its response: the transaction of the
 * command keeps it, and a later call gets it again. A call waits for another one with the same key
 * that is in progress. An error is not kept. Throws BUSINESS_IDEMPOTENCY_KEY_REUSED for another
 * request.
 */
export async function answerOnce(store: CommandStore, call: KeyedCall): Promise<string> {
  const { sql, sealer } = store;
  const { caller, key, request, reply } = call;
  const id = keyId(caller, key);
  const requested = await requestSha256(request);
  const repeat = async (kept: KeptResponse): Promise<string> => {
    await call.mayRepeat?.();
    const body = openKeptResponse(sealer, { kept, id, requested });
    void reply.code(kept.status).header(repeatedHeader, 'true');
    return body;
  };
  if (call.prepare !== undefined) {
    const kept = await findKeptResponse(sql, id);
    if (kept !== null) return repeat(kept);
    await call.prepare();
  }
  const stored = await inTransaction(sql, async (transaction) => {
    await lockKey(transaction, id);
    const kept = await findKeptResponse(transaction, id);
    if (kept !== null) return kept;
    const { status, envelope } = await call.run(transaction);
    // Serialized by the schema of the command's status, even if the caller already has
    // GATEWAY_TIMEOUT.
    const body: unknown = reply.serializeInput({ ...envelope }, String(status));
    if (typeof body !== 'string') throw new Error('a serializer of the API makes a text');
    await storeKey(transaction, {
      id,
      vendorId: caller.side === 'vendor' && !call.staysAfterReset ? caller.vendorId : null,
      requestSha256: requested,
      status,
      answerSealed: sealer.seal(body, ownerOf(id)),
    });
    return body;
  });
  return typeof stored === 'string' ? stored : repeat(stored);
}

const ownerOf = (id: Buffer): string => `idempotency-key/${id.toString('hex')}`;

/** The kept response of the same request. */
function openKeptResponse(
  sealer: Sealer,
  {
    kept,
    id,
    requested,
  }: { readonly kept: KeptResponse; readonly id: Buffer; readonly requested: Buffer },
): string {
  if (!sameDigest(kept.requestSha256, requested)) {
    throw apiError(keyRefusal, {
      reason: 'OTHER_REQUEST',
      message: 'Another request of yours had this key. Send a new key with a new request.',
    });
  }
  try {
    return sealer.open(kept.answerSealed, ownerOf(id));
  } catch {
    // SECRETS_KEY no longer has the key that sealed it.
    throw apiError(keyRefusal, {
      reason: 'ANSWER_UNAVAILABLE',
      message: 'The first call succeeded, but its answer can no longer be read. List what it made.',
    });
  }
}
