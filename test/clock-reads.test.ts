import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The folders of the product: what an installation in Production runs. */
const folders = (
  'activities api commands console db deliveries doctor domain guardrail process relay scripts ' +
  'security temporal worker workflows'
).split(' ');

/** A read of a clock of this machine or of Postgres. `performance.now` gives only durations. */
const clockRead = new RegExp(
  [
    String.raw`\bnew Date\(\)`,
    String.raw`\bDate\.now\b`,
    String.raw`\bperformance\.timeOrigin\b`,
    String.raw`(?<!\.)\bnow\(\)`,
    String.raw`\b(?:clock|statement|transaction)_timestamp\(\)`,
    String.raw`\bcurrent_(?:timestamp|date|time)\b`,
  ].join('|'),
  'gi',
);

/** The one read of business time: an instant of offers, shipments, returns or events (D131). */
const business = { 'db/functions/core/business_now.sql': 1 };

/** How often a file reads an instant of anything else, such as tokens, leases and change times. */
const real = {
  'activities/maintenance.ts': 1,
  'api/accounts/issue-credential.ts': 1,
  'api/accounts/responses/credential.ts': 1,
  'api/auth/key-source.ts': 1,
  'api/auth/token-keys.ts': 2,
  'api/auth/token-routes.ts': 1,
  'api/auth/tokens.ts': 2,
  'api/jobs/responses/job.ts': 1,
  'api/offers/responses/queued-offer.ts': 1,
  'api/operator/doctor-route.ts': 1,
  'api/sandbox/sandbox-time.ts': 4,
  // Waiting times and countdowns for people, who see real time.
  'console/home/home.ts': 1,
  'console/http/visit.ts': 1,
  'console/offers/queue.ts': 1,
  'console/session/kept-form.ts': 2,
  'console/webhooks/webhooks.ts': 1,
  'db/accounts/audit.ts': 1,
  'db/accounts/credentials.ts': 1,
  'db/accounts/operator-commands.ts': 2,
  'db/accounts/operator-log-in.ts': 2,
  'db/accounts/offer-viewers.ts': 2,
  'db/accounts/operator-sessions.ts': 3,
  'db/accounts/token-calls.ts': 4,
  'db/checks/kept-counts.ts': 1,
  'db/checks/outbox-rows.ts': 2,
  'db/checks/record-states.ts': 3,
  'db/checks/request-runs.ts': 2,
  'db/checks/webhook-rows.ts': 2,
  'db/clock/clock-advances.ts': 2,
  'db/clock/due-work.ts': 1,
  'db/core/apply-functions.ts': 1,
  'db/core/delete-old.ts': 1,
  'db/core/sql-files.ts': 1,
  'db/functions/accounts/count_audit.sql': 1,
  'db/functions/accounts/reset_sandbox.sql': 1,
  'db/functions/core/record_clock_move.sql': 1,
  'db/functions/lists/next_change_times.sql': 1,
  'db/functions/offers/count_offers.sql': 2,
  'db/functions/offers/offer_change_time.sql': 1,
  'db/functions/outbox/claim_messages.sql': 2,
  'db/functions/outbox/write_messages.sql': 2,
  'db/functions/webhooks/adopt_deliveries.sql': 6,
  'db/functions/webhooks/begin_attempts.sql': 4,
  'db/functions/webhooks/change_claims.sql': 2,
  'db/functions/webhooks/claim_deliveries.sql': 1,
  'db/functions/webhooks/emit_events.sql': 1,
  'db/functions/webhooks/end_lost_attempts.sql': 2,
  'db/functions/webhooks/is_stale_sample.sql': 1,
  'db/functions/webhooks/record_attempts.sql': 4,
  'db/idempotency/idempotency-keys.ts': 1,
  'db/jobs/jobs.ts': 2,
  'db/lists/page-snapshots.ts': 1,
  'db/migrations/0001-accounts.sql': 11,
  'db/migrations/0002-offers.sql': 2,
  'db/migrations/0005-lists.sql': 1,
  'db/migrations/0006-webhooks.sql': 4,
  'db/migrations/0007-jobs.sql': 2,
  'db/migrations/0008-outbox.sql': 3,
  'db/migrations/0060-notes.sql': 1,
  'db/outbox/outbox.ts': 3,
  'db/statistics/activity.ts': 3,
  'db/upcoming/upcoming-changes.ts': 4,
  'db/watch/read-record.ts': 6,
  'db/webhooks/attempts/begin-attempts.ts': 1,
  'db/webhooks/cancel-deliveries.ts': 2,
  'db/webhooks/cancel-samples.ts': 2,
  'db/webhooks/delivery-queue.ts': 2,
  'db/webhooks/redelivery.ts': 4,
  'db/webhooks/subscriptions/subscription-changes.ts': 2,
  'db/webhooks/subscriptions/subscription-statistics.ts': 2,
  'db/webhooks/webhook-deliveries.ts': 1,
  'db/webhooks/webhook-samples.ts': 1,
  'doctor/run-checks.ts': 1,
  'scripts/case.ts': 1,
  'scripts/demo.ts': 1,
  'scripts/keys.ts': 8,
  'security/sign-document.ts': 1,
  'temporal/delivery-starts.ts': 1,
  'worker/workflow-bundle.ts': 1,
  'workflows/lib/updatable-timer.ts': 1,
  'workflows/webhooks/webhook-delivery-view.ts': 1,
  'workflows/webhooks/webhook-delivery.ts': 1,
};

/** How often a file reads an instant for a duration within one process. */
const elapsed = {
  'temporal/connection/temporal-check.ts': 1,
  'temporal/connection/with-timeout.ts': 3,
  'temporal/decisions.ts': 1,
  'temporal/message-handler.ts': 1,
  'temporal/namespace-owner.ts': 1,
  'worker/secret-watch.ts': 2,
};

const root = fileURLToPath(new URL('..', import.meta.url));

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    // The demo is a client.
    if (path === 'scripts/demo') continue;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(?:ts|mjs|sql)$/.test(path)) yield path;
  }
}

test('classifies each clock read, and reads business time in one function (D131)', () => {
  const found = folders.flatMap((folder) =>
    Array.from(sources(folder), (path): [string, number] => [
      path,
      readFileSync(join(root, path), 'utf8').match(clockRead)?.length ?? 0,
    ]).filter(([, count]) => count > 0),
  );
  // After a new read, classify it here. A business instant comes from the row that the rule judges.
  expect(Object.fromEntries(found)).toEqual({ ...business, ...real, ...elapsed });
});
