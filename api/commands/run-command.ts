import type { Sql } from '../../db/core/client.ts';
import type { Caller } from '../auth/tokens.ts';
import { reportChanges } from '../security/report.ts';
import { answerOnce, type CommandStore, type KeyedCall, type Result } from './answer-once.ts';
import { keyOf } from './idempotency-key.ts';
import { isPreview, preview, type PreviewScope } from './validate-only.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The dependencies of commands. */
    commands: CommandStore;
  }
}

export type CommandCall = Omit<KeyedCall, 'caller' | 'key' | 'run'> & {
  /** Null on a route without a token. */
  readonly caller: Caller | null;
  /** Whether the route takes an `Idempotency-Key`. */
  readonly isKeyed: boolean;
  readonly validateOnly: PreviewScope | null;
  /** Runs the command. The functions given to `afterCommit` run once everything is stored. */
  readonly run: (sql: Sql, afterCommit: (run: () => void) => void) => Promise<Result>;
};

/** Nothing is committed. */
const noCommit = () => undefined;

/** Runs a call of a route: as a validation, once for its key, or without either. */
export async function runCommand(store: CommandStore, call: CommandCall): Promise<unknown> {
  const { caller, request, reply, validateOnly } = call;
  if (validateOnly !== null && isPreview(request)) {
    await call.prepare?.();
    const previewed = await preview(store.sql, validateOnly, (sql) => call.run(sql, noCommit));
    return previewed.envelope;
  }
  const committed: (() => void)[] = [];
  const run = (sql: Sql) =>
    call.run(sql, (each) => {
      committed.push(each);
    });
  const key = call.isKeyed ? keyOf(request) : null;
  let response: unknown;
  if (caller === null || key === null) {
    await call.prepare?.();
    response = (await run(store.sql)).envelope;
  } else {
    response = await answerOnce(store, { ...call, caller, key, run });
    // The body is serialized.
    void reply.header('content-type', 'application/json; charset=utf-8');
  }
  for (const each of committed) each();
  reportChanges(request);
  return response;
}
