import type { Caller } from '../auth/tokens.ts';
import { answerOnce, type CommandStore, type KeyedCall } from './answer-once.ts';
import { keyOf } from './idempotency-key.ts';
import { isPreview, preview, type PreviewScope } from './validate-only.ts';

export type CommandCall = Omit<KeyedCall, 'caller' | 'key'> & {
  /** Null on a route without a token. */
  readonly caller: Caller | null;
  /** Whether the route takes an `Idempotency-Key`. */
  readonly isKeyed: boolean;
  readonly validateOnly: PreviewScope | null;
};

/** Runs a call of a route: as a validation, once for its key, or without either. */
export async function runCommand(store: CommandStore, call: CommandCall): Promise<unknown> {
  const { caller, request, reply, validateOnly } = call;
  if (validateOnly !== null && isPreview(request)) {
    await call.prepare?.();
    return (await preview(store.sql, validateOnly, call.run)).envelope;
  }
  const key = call.isKeyed ? keyOf(request) : null;
  let response: unknown;
  if (caller === null || key === null) {
    await call.prepare?.();
    response = (await call.run(store.sql)).envelope;
  } else {
    response = await answerOnce(store, { ...call, caller, key });
    // The body is serialized.
    void reply.header('content-type', 'application/json; charset=utf-8');
  }
  for (const run of request.committed ?? []) run();
  return response;
}
