import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Sql } from '../db/core/client.ts';
import { countSecrets, type SecretCounts } from '../doctor/secret-counts.ts';
import { startRetryingLoop, type Backoff } from '../relay/poll-loop.ts';
import type { Sealer } from '../security/sealer.ts';

const everyMs = 10_000;
/**
 * A resealing that left the same number of secrets as before is repeated only after this time,
 * because a sealed value may be damaged.
 */
const repeatedMs = 3_600_000;

/**
 * Counts the webhook secrets by key, logs keys that SECRETS_KEY does not have, and requests the
 * resealing of secrets under another key than the first.
 */
export function startSecretWatch({
  sql,
  sealer,
  requestResealing,
  log,
}: {
  readonly sql: Sql;
  readonly sealer: Sealer;
  readonly requestResealing: () => Promise<void>;
  readonly log: Logger;
}) {
  let counts: SecretCounts | null = null;
  let requested = { previous: 0, at: 0 };
  const round = async (): Promise<Backoff> => {
    const before = counts?.missingKeyIds.join() ?? '';
    counts = await countSecrets(sql, sealer);
    const { previous, missing, missingKeyIds } = counts;
    if (missing > 0 && missingKeyIds.join() !== before)
      log.error(
        { keyIds: missingKeyIds, secrets: missing },
        'webhook secrets are sealed under keys that SECRETS_KEY does not have; add these keys',
      );
    const isRepeated = previous === requested.previous && Date.now() - requested.at < repeatedMs;
    if (previous > 0 && !isRepeated) {
      await requestResealing();
      log.info(
        { secrets: previous, keyId: sealer.keyIds[0] },
        'requested the resealing of webhook secrets under the first key',
      );
    }
    if (!isRepeated) requested = { previous, at: Date.now() };
    return { ms: everyMs };
  };
  const { stop } = startRetryingLoop(round, {
    pollMs: everyMs,
    onError: (error) => {
      log.warn({ err: error }, 'cannot watch the webhook secrets; retrying in 10 seconds');
    },
  });
  return {
    /** The webhook secrets by key, as of the latest round; null before the first. */
    counts: () => counts,
    stop,
  };
}

/** Registers the number of webhook secrets by the state of their keys. */
export function addSecretMetrics(registry: Registry, counts: () => SecretCounts | null): void {
  const gauge = new Gauge({
    name: 'vendor_gateway_webhook_secrets',
    help: 'Webhook secrets by key: the first (current), another (previous), none (missing)',
    labelNames: ['key'],
    registers: [registry],
    collect: () => {
      const found = counts();
      gauge.reset();
      for (const key of ['current', 'previous', 'missing'] as const)
        if (found !== null) gauge.set({ key }, found[key]);
    },
  });
}
