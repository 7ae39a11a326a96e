import { setTimeout as delay } from 'node:timers/promises';
import { testFire } from '../../api/webhooks/test-fire.ts';
import { createTestFires } from '../../api/webhooks/test-fires.ts';
import { createDecisions } from '../../temporal/decisions.ts';
import { hostileResponses } from '../../test/guardrail/send/hostile-responses.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedSubscription,
  seedVariant,
  seedVendor,
} from '../../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { forkProgram } from '../harness/fork-program.ts';
import { besideCells, besideHeader, newBeside, requireRatio } from '../harness/measures/beside.ts';
import { pacedLoad, type Work } from '../harness/measures/load.ts';
import { table } from '../harness/table.ts';
import { withWorker, type TemporalSide } from '../harness/servers/temporal-side.ts';
import { until } from '../harness/until.ts';

const attackers = 20;
/** Each hostile receiver gets an attempt every ten seconds, so that two begin in each second. */
const attacksPerSecond = 2;
const firesPerSecond = 3;
const approvalsPerSecond = 3;
const roundMs = 20_000;
const rounds = 3;
/** The first attempts of an attack begin before anything is measured. */
const leadMs = 5000;
const ratioMax = 2;
const timeoutMs = 15_000;
const wellBehaved = 'well-behaved';
const eventType = 'vendor.offer.review-decision';

/**
 * What hostile receivers do to others: a vendor's test-fire and an operator's approval, quiet and
 * attacked.
 */
export const hostileReceivers: Benchmark = {
  name: 'hostile-receivers',
  title: 'Hostile receivers',
  hasTemporal: true,
  run: async (context) => {
    const { ask, stop } = forkProgram<object, number>(
      new URL('../harness/servers/hostile-receiver-process.ts', import.meta.url),
    );
    const origin = `http://127.0.0.1:${await ask({})}`;
    const environment = {
      WEBHOOK_ALLOWED_ORIGINS: origin,
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
    };
    await withWorker(context, environment, (temporal) =>
      measure(context, temporal, origin),
    ).finally(stop);
  },
};

async function measure(
  context: BenchmarkContext,
  temporal: TemporalSide,
  origin: string,
): Promise<void> {
  const { print, say } = context;
  const fire = createFire(context, { origin, secretsKey: temporal.secretsKey });
  const fireQuietly = await fire(wellBehaved);
  const others = (pathOf: (index: number) => string) =>
    Promise.all(Array.from({ length: attackers }, (_item, index) => fire(pathOf(index))));
  const neighbours = await others(() => wellBehaved);
  const attacks = await others((index) => kinds[index % kinds.length] ?? '');
  const approve = await createApprovals(context, temporal, offers);
  for (let index = 0; index < warmUps; index += 1) {
    await fireQuietly(index);
    await approve(index);
  }

  const failures: unknown[] = [];
  /** A call that fails, as in a time-out, has its time too. */
  const counted =
    (work: Work): Work =>
    (number) =>
      work(number).catch((error: unknown) => failures.push(error));
  const fires = newBeside("another vendor's test-fire");
  const approvals = newBeside("an operator's approval");
  /** The same attempts at other receivers in both cases: only what these answer differs. */
  const measureBeside = async (
    part: 'quietMs' | 'besideMs',
    others: readonly Work[],
  ): Promise<void> => {
    const stop = new AbortController();
    const beside = pacedLoad(
      // How an attempt at a hostile receiver ends is not what is measured.
      async (number) => others[number % attackers]?.(number).catch(() => undefined),
      attacksPerSecond,
      stop.signal,
    );
    await delay(leadMs);
    const end = AbortSignal.timeout(roundMs);
    const [ofFires, ofApprovals] = await Promise.all([
      pacedLoad(counted(fireQuietly), firesPerSecond, end),
      pacedLoad(counted(approve), approvalsPerSecond, end),
    ]);
    fires[part].push(...ofFires.latenciesMs);
    approvals[part].push(...ofApprovals.latenciesMs);
    stop.abort();
    await beside;
  };
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}: quiet, then attacked`);
    await measureBeside('quietMs', neighbours);
    await measureBeside('besideMs', attacks);
  }
  print(
    `${attacksPerSecond} attempts a second at ${attackers} other receivers, which behave ` +
      '(quiet) or are hostile (beside):',
  );
  const rows = [fires, approvals];
  print(table(besideHeader, rows.map(besideCells)));
  if (failures.length > 0)
    throw new Error(`${failures.length} calls of others failed`, { cause: failures[0] });
  requireRatio(rows, ratioMax);
}

const kinds = Object.keys(hostileResponses);
const warmUps = 10;
const offers = warmUps + 2 * rounds * approvalsPerSecond * (roundMs / 1000 + 5);

/** Makes a vendor with a subscription at a path of the receivers; returns what test-fires it. */
function createFire(
  { sql }: BenchmarkContext,
  { origin, secretsKey }: { readonly origin: string; readonly secretsKey: string },
) {
  const testFires = createTestFires(sql, timeoutMs);
  const dependencies = { sql, testFires, manualDeliveriesPerMinute: 0 };
  return async (path: string): Promise<Work> => {
    const vendorId = await seedVendor(sql);
    const url = `${origin}/${path}`;
    const { id } = await seedSubscription(sql, vendorId, url, secretsKey);
    return async () => {
      const fired = { vendorId, subscriptionId: id, eventType } as const;
      const { succeeded, errorSummary } = await testFire(dependencies, fired);
      if (path === wellBehaved && succeeded !== true)
        throw new Error(`the test-fire failed: ${errorSummary}`);
    };
  };
}

/** Makes offers that await their decision; returns what approves the next one. */
async function createApprovals(
  { sql, say }: BenchmarkContext,
  { client, taskQueue }: TemporalSide,
  count: number,
): Promise<Work> {
  say(`making ${count} offers`);
  const [vendorId, variantId, { id: operatorId }] = await Promise.all([
    seedVendor(sql),
    seedVariant(sql),
    seedOperator(sql),
  ]);
  const offerIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const vendorSku = `SKU-${index}`;
    offerIds.push((await seedOffer(sql, vendorId, { variantId, vendorSku })).id);
  }
  await until(async () => (await sql`select from outbox limit 1`).length === 0);
  const decisions = createDecisions(client, { taskQueue, timeoutMs });
  return async () => {
    const offerId = offerIds.pop();
    if (offerId === undefined) throw new Error('all offers are approved');
    const commandId = await seedCommand(sql, operatorId, offerId, {
      action: 'approve',
      variantId: null,
      expectedVersion: null,
    });
    const decided = await decisions.decideOffer(
      { offerId, vendorId },
      { action: 'approve', commandId, operatorId },
    );
    if (!decided.ok) throw new Error(decided.failure.code);
  };
}
