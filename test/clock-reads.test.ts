import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The folders of the product: what an installation in Production runs. */
const folders = [
  'activities',
  'api',
  'commands',
  'console',
  'db',
  'doctor',
  'domain',
  'guardrail',
  'process',
  'relay',
  'security',
  'temporal',
  'worker',
  'workflows',
];

/** A read of a clock: of this machine, of this process, or of Postgres. */
const clockRead = new RegExp(
  [
    String.raw`\bnew Date\(\)`,
    String.raw`\bDate\.now\b`,
    String.raw`\bperformance\.now\b`,
    String.raw`(?<!\.)\bnow\(\)`,
    String.raw`\b(?:clock|statement|transaction)_timestamp\(\)`,
    String.raw`\bcurrent_(?:timestamp|date|time)\b`,
  ].join('|'),
  'gi',
);

/**
 * How many clock reads of each class a file has (D131). `business`: an instant of offers,
 * shipments, returns or events, which only `business_now` reads. `real`: an instant of anything
 * else, such as tokens, leases and change times. `elapsed`: a duration within one process.
 */
type Reads = { readonly business?: number; readonly real?: number; readonly elapsed?: number };

const classified: Readonly<Record<string, Reads>> = {
  'activities/bulk-job.ts': { elapsed: 2 },
  'activities/clock-advance.ts': { elapsed: 1 },
  'activities/deliveries/send-attempt.ts': { elapsed: 2 },
  'activities/maintenance.ts': { real: 1 },
  'activities/reseal-secrets.ts': { elapsed: 2 },
  'activities/review-job.ts': { elapsed: 2 },
  'api/accounts/issue-credential.ts': { real: 1 },
  'api/accounts/responses/credential.ts': { real: 1 },
  'api/auth/key-source.ts': { real: 1 },
  'api/auth/rate-limits.ts': { elapsed: 1 },
  'api/auth/token-keys.ts': { real: 2 },
  'api/auth/tokens.ts': { real: 2 },
  'api/auth/vendor-token-route.ts': { real: 1 },
  'api/http/connections.ts': { elapsed: 2 },
  'api/http/quotas/vendor-quotas.ts': { elapsed: 2 },
  'api/jobs/responses/job.ts': { real: 1 },
  'api/jobs/streamed-items.ts': { elapsed: 2 },
  'api/offers/bulk/run-bulk.ts': { elapsed: 2 },
  'api/operator/doctor-route.ts': { real: 1 },
  'api/webhooks/event-waits.ts': { elapsed: 2 },
  'api/webhooks/test-fires.ts': { elapsed: 2 },
  'api/webhooks/vendor-events.ts': { elapsed: 2 },
  'commands/jobs/rests.ts': { elapsed: 3 },
  // Waiting times and countdowns for people, who see real time.
  'console/home/home.ts': { real: 2 },
  'console/http/visit.ts': { real: 1 },
  'console/offers/queue.ts': { real: 1 },
  'console/returns/returns.ts': { real: 1 },
  'console/webhooks/webhooks.ts': { real: 1 },
  'db/accounts/credentials.ts': { real: 1 },
  'db/accounts/operator-commands.ts': { real: 2 },
  'db/accounts/operator-log-in.ts': { real: 2 },
  'db/accounts/operator-looks.ts': { real: 1 },
  'db/accounts/operator-sessions.ts': { real: 3 },
  'db/accounts/token-calls.ts': { real: 4 },
  'db/checks/kept-counts.ts': { real: 1 },
  'db/checks/outbox-rows.ts': { real: 2 },
  'db/checks/record-states.ts': { real: 3 },
  'db/checks/request-runs.ts': { real: 1 },
  'db/checks/waiting-rows.ts': { real: 1 },
  'db/checks/webhook-rows.ts': { real: 1 },
  'db/clock/clock-advances.ts': { real: 2 },
  'db/core/apply-functions.ts': { real: 1 },
  'db/core/batcher.ts': { elapsed: 3 },
  'db/core/clock.ts': { elapsed: 2 },
  'db/core/delete-old.ts': { real: 1 },
  'db/core/sql-files.ts': { real: 1 },
  'db/functions/accounts/count_audit.sql': { real: 1 },
  'db/functions/core/business_now.sql': { business: 1 },
  'db/functions/lists/next_change_time.sql': { real: 1 },
  'db/functions/offers/count_offers.sql': { real: 2 },
  'db/functions/offers/offer_change_time.sql': { real: 1 },
  'db/functions/outbox/claim_messages.sql': { real: 2 },
  'db/functions/outbox/write_messages.sql': { real: 1 },
  'db/functions/webhooks/begin_attempts.sql': { real: 3 },
  'db/functions/webhooks/claim_first_attempts.sql': { real: 7 },
  'db/functions/webhooks/count_deliveries.sql': { real: 1 },
  'db/functions/webhooks/is_stale_sample.sql': { real: 1 },
  'db/functions/webhooks/record_attempts.sql': { real: 2 },
  'db/idempotency/idempotency-keys.ts': { real: 1 },
  'db/jobs/jobs.ts': { real: 2 },
  'db/migrations/0001-accounts.sql': { real: 8 },
  'db/migrations/0002-offers.sql': { real: 2 },
  'db/migrations/0005-lists.sql': { real: 1 },
  'db/migrations/0006-webhooks.sql': { real: 4 },
  'db/migrations/0007-jobs.sql': { real: 2 },
  'db/migrations/0008-outbox.sql': { real: 3 },
  'db/migrations/0011-operator-sessions.sql': { real: 2 },
  'db/migrations/0019-operator-looks.sql': { real: 1 },
  'db/outbox/outbox.ts': { real: 1 },
  'db/statistics/activity.ts': { real: 3 },
  'db/upcoming/expiring-credentials.ts': { real: 1 },
  'db/upcoming/webhook-changes.ts': { real: 1 },
  'db/watch/read-record.ts': { real: 7 },
  'db/webhooks/attempts/begin-attempts.ts': { real: 1 },
  'db/webhooks/cancel-deliveries.ts': { real: 2 },
  'db/webhooks/cancel-samples.ts': { real: 1 },
  'db/webhooks/delivery-batches.ts': { real: 3 },
  'db/webhooks/subscriptions/subscription-changes.ts': { real: 2 },
  'db/webhooks/subscriptions/subscription-statistics.ts': { real: 3 },
  'doctor/run-checks.ts': { real: 1 },
  'guardrail/dial.ts': { elapsed: 2 },
  'process/health/loop-watch.ts': { elapsed: 3 },
  'process/metrics/record-metrics.ts': { elapsed: 2 },
  'relay/delivery-lane.ts': { elapsed: 1 },
  'relay/held-batches.ts': { elapsed: 2 },
  'relay/relay.ts': { elapsed: 2 },
  'relay/run-budget.ts': { elapsed: 1 },
  'security/key-ring-file.ts': { elapsed: 2 },
  'security/sign-document.ts': { real: 1 },
  'temporal/connection/temporal-check.ts': { elapsed: 1 },
  'temporal/connection/with-timeout.ts': { elapsed: 2 },
  'temporal/decisions.ts': { elapsed: 1 },
  'temporal/message-handler.ts': { elapsed: 1 },
  'temporal/workflow-starts.ts': { real: 1 },
  'worker/secret-watch.ts': { elapsed: 2 },
  'worker/workflow-bundle.ts': { real: 1 },
  'workflows/lib/updatable-timer.ts': { real: 1 },
  'workflows/webhooks/webhook-delivery-view.ts': { real: 1 },
  'workflows/webhooks/webhook-delivery.ts': { real: 1 },
};

const root = fileURLToPath(new URL('..', import.meta.url));

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(?:ts|mjs|sql)$/.test(path)) yield path;
  }
}

test('D131: each clock read of the product is classified, and one function reads business time', () => {
  const found = folders.flatMap((folder) =>
    Array.from(sources(folder), (path): [string, number] => [
      path,
      readFileSync(join(root, path), 'utf8').match(clockRead)?.length ?? 0,
    ]).filter(([, count]) => count > 0),
  );
  const listed = Object.entries(classified).map(
    ([path, { business = 0, real = 0, elapsed = 0 }]): [string, number] => [
      path,
      business + real + elapsed,
    ],
  );
  // After a new read, classify it here. A business instant comes from the row that the rule judges.
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
  const business = Object.entries(classified).filter(([, reads]) => 'business' in reads);
  expect(business.map(([path]) => path)).toEqual(['db/functions/core/business_now.sql']);
});
