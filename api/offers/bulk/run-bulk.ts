import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import {
  pushItems,
  type Item,
  type ItemOutcome,
  type NamedOffers,
} from '../../../commands/offers/push-items.ts';
import type { Sql } from '../../../db/core/client.ts';
import { databaseFailureCode, isDeadlock, isLockTimeout } from '../../../db/core/failure.ts';
import { fail, type ErrorCode, type Failure } from '../../../domain/errors.ts';

/** Items of one transaction: it holds the locks of their offers for some tens of milliseconds. */
const chunkSize = 250;
const attemptsMax = 5;
/** No chunk begins later, so that the call is answered before its time limit. */
const budgetMs = 8000;

export type BulkCall = {
  readonly sql: Sql;
  readonly vendorId: string;
  readonly request: FastifyRequest;
};

/** An item of the call as it was sent, with its index. */
export type SentItem = { readonly index: number; readonly sent: unknown };

/**
 * Stores the items of a bulk call, one chunk after the other, each by one transaction. `parse`
 * returns a well-formed item, or the outcome of a malformed one. When Postgres fails, the items of
 * that chunk and of later ones fail, and earlier ones stay stored; a failure of the first chunk is
 * thrown. It ends early when the caller is gone.
 */
export async function runBulk(
  call: BulkCall,
  sent: readonly unknown[],
  parse: (item: SentItem) => Item | ItemOutcome,
): Promise<readonly ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const named: NamedOffers = new Map();
  const endsAt = performance.now() + budgetMs;
  const left = sent.map((each, index) => ({ index, sent: each }));
  while (left.length > 0 && !call.request.raw.socket.destroyed) {
    if (performance.now() > endsAt) return [...outcomes, ...failed(left, 'GATEWAY_TIMEOUT')];
    const parsed = left.splice(0, chunkSize).map(parse);
    const items = parsed.filter((each) => 'decide' in each);
    const chunk = await storeChunk(call, items, named);
    const isFirst = outcomes.length === 0 && chunk.outcomes.every(({ pushed }) => !pushed.ok);
    if (chunk.outage !== null && isFirst) throw chunk.outage.error;
    outcomes.push(...inOrder([...parsed.filter((each) => 'pushed' in each), ...chunk.outcomes]));
    if (chunk.outage !== null) return [...outcomes, ...failed(left, chunk.outage.code)];
    // Other calls run between two chunks.
    await nextTurn();
  }
  return outcomes;
}

const inOrder = (outcomes: readonly ItemOutcome[]): readonly ItemOutcome[] =>
  outcomes.toSorted((one, other) => one.index - other.index);

const failed = (
  items: readonly { readonly index: number }[],
  code: ErrorCode,
  details: Failure['details'] = {},
): readonly ItemOutcome[] =>
  items.map(({ index }) => ({ index, offer: null, pushed: fail(code, details) }));

/** `outage`: Postgres fails for every chunk. */
type Chunk = {
  readonly outcomes: readonly ItemOutcome[];
  readonly outage: { readonly error: unknown; readonly code: ErrorCode } | null;
};

const stored = (outcomes: readonly ItemOutcome[]): Chunk => ({ outcomes, outage: null });

async function storeChunk(
  call: BulkCall,
  items: readonly Item[],
  named: NamedOffers,
): Promise<Chunk> {
  if (items.length === 0) return stored([]);
  try {
    return stored(await pushWithRetries(call, items, named));
  } catch (error) {
    const code = isLockTimeout(error) ? 'SERVICE_UNAVAILABLE' : databaseFailureCode(error);
    const level = code === null ? 'error' : 'warn';
    call.request.log[level]({ err: error, code, items: items.length }, 'a bulk chunk failed');
    if (code !== null) {
      const isOfChunk = isLockTimeout(error) || isDeadlock(error) || code === 'GATEWAY_TIMEOUT';
      return { outcomes: failed(items, code), outage: isOfChunk ? null : { error, code } };
    }
    if (items.length > 1) return storeOneByOne(call, items, named);
    return stored(failed(items, 'INTERNAL_ERROR', { requestId: call.request.id }));
  }
}

/** After an unexpected error: the item that causes it fails alone. */
async function storeOneByOne(
  call: BulkCall,
  items: readonly Item[],
  named: NamedOffers,
): Promise<Chunk> {
  const outcomes: ItemOutcome[] = [];
  for (const [position, item] of items.entries()) {
    const one = await storeChunk(call, [item], named);
    outcomes.push(...one.outcomes);
    if (one.outage !== null) {
      const left = failed(items.slice(position + 1), one.outage.code);
      return { outcomes: [...outcomes, ...left], outage: one.outage };
    }
  }
  return stored(outcomes);
}

async function pushWithRetries(
  { sql, vendorId }: BulkCall,
  items: readonly Item[],
  named: NamedOffers,
): Promise<readonly ItemOutcome[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // If the connection is lost during the commit, the items may be stored.
      return await sql.begin((transaction) => pushItems(transaction, vendorId, items, () => named));
    } catch (error) {
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}
