import { setTimeout as delay } from 'node:timers/promises';
import { workflowLink } from '../api/operator/workflow-link.ts';
import { loadConfigOrExit } from '../process/config.ts';
import { haveMessages } from '../db/checks/waiting-rows.ts';
import { connect } from '../db/core/client.ts';
import { findNewerDatabase } from '../db/core/installation.ts';
import type { Check, CheckContext } from '../doctor/check.ts';
import { checkIds, checks } from '../doctor/checks.ts';
import { checksOfRuns } from '../doctor/run-checks.ts';
import { checksOfSecrets } from '../doctor/secret-checks.ts';
import { isClean, runCheck, type CheckResult } from '../doctor/examine.ts';
import { reportOf } from '../doctor/report.ts';
import { findSecretsKey } from '../embedded/keys/load-keys.ts';
import { readRuntimeInfo } from '../embedded/state/runtime-info.ts';
import { createSealer } from '../security/sealer.ts';
import { readHistories } from '../temporal/runs/histories.ts';
import { createRuns } from '../temporal/runs/open-runs.ts';
import { exitWithUsage, readCommandLine, Refusal, runCommand } from './command-line.ts';
import { newerText, requireGateway, requireOwnVersion } from './require-gateway.ts';

/**
 * `npm run doctor`: checks the record against itself and against all runs. Exits 0 if it finds
 * nothing, or if everything that it found is repaired, and 1 otherwise.
 */

const usage = `npm run doctor -- [--repair] [--check ID]… [--histories N]

--repair       Repairs what is safe to repair, and checks that again.
--check ID     Only this check: ${checkIds.join(', ')}.
--histories N  The runs whose histories are searched for secrets, newest first. Default: 2000.`;

const { values } = readCommandLine(usage, {
  options: {
    repair: { type: 'boolean', default: false },
    check: { type: 'string', multiple: true },
    histories: { type: 'string', default: '2000' },
  },
});
/** Findings of a check that the report lists. */
const listedMax = 20;
/** How long a repair may take: a worker starts runs within seconds. */
const repairMs = 60_000;

const config = loadConfigOrExit();
const info = await readRuntimeInfo(config.GATEWAY_HOME);
const runsMax = Number(values.histories);
const requested = values.check ?? checkIds;
const isCount = /^\d+$/.test(values.histories) && Number.isSafeInteger(runsMax);
if (!isCount || requested.some((id) => !checkIds.includes(id))) exitWithUsage(usage);
const embeddedKey = config.DATABASE_URL === undefined ? findSecretsKey(config.GATEWAY_HOME) : null;
const secretsKey = config.SECRETS_KEY ?? embeddedKey;
const sealer = secretsKey === null ? null : createSealer(secretsKey);
const impossible = sealer === null ? checksOfSecrets.map(({ id }) => id) : [];
const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = config;
const baseUrl = info?.temporalUiUrl ?? config.TEMPORAL_UI_URL;
const linkOf = (workflowId: string): string => workflowLink(workflowId, { baseUrl, namespace }).url;

/** A repair waits for the messages of all its findings, not only of the listed ones. */
const findingsMax = values.repair ? Infinity : listedMax;
const report = (result: CheckResult): void => {
  const listed = { ...result, findings: result.findings.slice(0, listedMax) };
  for (const line of reportOf(listed, linkOf)) console.log(line);
};

/**
 * Checks what was repaired again until nothing is left of it, or for a minute. A run that is
 * requested by a message is left until a relay has handed the message over.
 */
async function checkAgain(
  context: CheckContext,
  repaired: readonly CheckResult[],
): Promise<readonly CheckResult[]> {
  const begun = performance.now();
  for (;;) {
    const left: CheckResult[] = [];
    const again = repairable.filter(({ id }) => repaired.some((result) => result.id === id));
    for (const check of again) {
      const result = await runCheck(context, check, { isRepairing: false, findingsMax });
      if (!isClean(result)) left.push(result);
    }
    for (const result of repaired) {
      const isOfRuns = checksOfRuns.some(({ id }) => id === result.id);
      if (!isOfRuns || left.some(({ id }) => id === result.id)) continue;
      const ids = result.findings.map(({ subjectId }) => subjectId);
      if (await haveMessages(context.sql, ids)) left.push(result);
    }
    const seconds = (performance.now() - begun) / 1000;
    if (left.length === 0)
      console.log(`\nWhat was repaired is clean after ${seconds.toFixed(1)} s.`);
    if (left.length === 0 || seconds * 1000 > repairMs) return left;
    await delay(1000);
  }
}

const chosen: readonly Check[] = checks.filter(
  ({ id }) => requested.includes(id) && !impossible.includes(id),
);
const repairable = chosen.filter(({ repair }) => repair !== null);

/** Runs the chosen checks, and prints what they find. */
async function examine(context: CheckContext): Promise<void> {
  if (sealer === null)
    console.log('Not checked, because SECRETS_KEY is not set: the keys of webhook secrets.');
  const results: CheckResult[] = [];
  for (const check of chosen) {
    const result = await runCheck(context, check, { isRepairing: values.repair, findingsMax });
    results.push(result);
    report(result);
  }
  const faulty = results.filter((result) => !isClean(result));
  const repaired = faulty.filter((result) => result.repaired > 0);
  const open = faulty.filter((result) => result.repaired === 0);
  const left = repaired.length === 0 ? [] : await checkAgain(context, repaired);
  if (left.length > 0) {
    console.log(
      '\nStill wrong after the repair. Check that a worker runs, then run the doctor again.',
    );
    for (const result of left) report(result);
  }
  const faults = faulty.reduce((sum, { found }) => sum + found, 0);
  console.log(
    faulty.length === 0
      ? `\nAll ${results.length} checks are clean.`
      : `\n${faults} findings by ${faulty.length} of ${results.length} checks.`,
  );
  process.exitCode = open.length + left.length === 0 ? 0 : 1;
}

await runCommand(async () => {
  const refused = impossible.filter((id) => values.check?.includes(id));
  if (refused.length > 0)
    throw new Refusal(
      `These checks need SECRETS_KEY, which is not set: ${refused.join(', ')}.\n` +
        'Set it, or in docker compose use `docker compose run --rm doctor`.',
    );
  const { databaseUrl, client } = await requireGateway({
    ...config,
    DATABASE_URL: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
  });
  const sql = connect(databaseUrl, {
    max: 2,
    name: 'vendor-gateway doctor',
    statementTimeoutMs: 60_000,
  });
  try {
    if (values.repair) await requireOwnVersion(sql, 'npm run doctor -- --repair');
    const newer = await findNewerDatabase(sql);
    if (newer !== null)
      console.log(`These checks may find what is right, because ${newerText(newer)}.\n`);
    await examine({
      sql,
      runs: createRuns(client, { taskQueue }),
      histories: () => readHistories(client, { taskQueue, runsMax }),
      retentionMs: config.WEBHOOK_RETENTION_MS,
      sealer,
    });
  } finally {
    await client.connection.close();
    await sql.end({ timeout: 5 });
  }
});
