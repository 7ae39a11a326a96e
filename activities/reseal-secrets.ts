import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import { listSealedSecrets } from '../db/webhooks/subscriptions/sealed-secrets.ts';
import { resealSecrets } from '../doctor/reseal.ts';
import { countSecrets } from '../doctor/secret-counts.ts';
import type { Sealer } from '../security/sealer.ts';
import { withHeartbeat } from './heartbeat.ts';

/** A pass over the sealed secrets. */
export type ResealingPass = {
  readonly resealed: number;
  /** The key that seals. */
  readonly keyId: string;
  /** The number of secrets under other keys of the ring. */
  readonly left: number;
  /** The number of secrets under keys that the ring does not have. */
  readonly withoutKey: number;
  /** Where the next pass continues; null after the last one. */
  readonly next: string | null;
};

/** Secrets that one statement replaces, which then takes some ten milliseconds. */
const batchSize = 200;
/** A pass begins no batch after this time, so that the run shows its progress. */
const passMs = 5000;

export const createResealingActivities = ({
  sql,
  sealer,
  log,
}: {
  readonly sql: Sql;
  readonly sealer: Sealer;
  readonly log: Logger;
}) => ({
  /**
   * Seals webhook secrets again under the first key, in the order of their ids, from after the
   * given one.
   */
  resealSecrets: ({ after }: { readonly after: string | null }): Promise<ResealingPass> =>
    withHeartbeat(async (stopping) => {
      const { resealed, next } = await reseal({ sql, sealer }, after, stopping);
      const { previous: left, missing: withoutKey } = await countSecrets(sql, sealer);
      const [keyId] = sealer.keyIds;
      log.info({ keyId, resealed, left, withoutKey }, 'sealed webhook secrets under the first key');
      return { resealed, keyId, left, withoutKey, next };
    }),
});
export type ResealingActivities = ReturnType<typeof createResealingActivities>;

async function reseal(
  { sql, sealer }: { readonly sql: Sql; readonly sealer: Sealer },
  start: string | null,
  stopping: AbortSignal,
): Promise<{ readonly resealed: number; readonly next: string | null }> {
  const end = performance.now() + passMs;
  let resealed = 0;
  for (let after = start; ;) {
    const page = { after, limit: batchSize, without: sealer.header };
    const secrets = await listSealedSecrets(sql, page);
    resealed += await resealSecrets(sql, sealer, secrets);
    const last = secrets.at(-1);
    if (last === undefined || secrets.length < batchSize) return { resealed, next: null };
    after = last.id;
    if (performance.now() > end || stopping.aborted) return { resealed, next: after };
  }
}
