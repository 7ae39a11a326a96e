import { setTimeout as delay } from 'node:timers/promises';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import { createDecisions } from '../../temporal/decisions.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  receiveReturn,
  seedReturn,
} from '../../test/support/returns/seed-returns.ts';
import {
  seedCommand,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { planOf, type Answer, type Planned } from '../harness/verdicts/inspection-plan.ts';
import { judgeReturns, type Verdict } from '../harness/verdicts/inspection-verdict.ts';
import { median, quantile } from '../harness/measures/load.ts';
import { figure, table } from '../harness/table.ts';
import { inParallel } from '../harness/in-parallel.ts';
import { startTemporalSide, type TemporalSide } from '../harness/servers/temporal-side.ts';
import { until } from '../harness/until.ts';

const times = { startMs: 1000, windowMs: 5000, closingMs: 0 };
const vendors = 10;
const atOnce = 8;
const decisionTimeoutMs = 10_000;

/**
 * A proof rather than a figure: what inspections come to when the worker is killed in the middle of
 * them.
 */
export const inspections: Benchmark = {
  name: 'inspections',
  title: 'Inspections, the worker killed',
  hasTemporal: true,
  run: async (context) => {
    const temporal = await startTemporalSide(context);
    try {
      await prove(context, temporal);
    } finally {
      await temporal.stop();
    }
  },
};

async function prove(context: BenchmarkContext, temporal: TemporalSide): Promise<void> {
  const { sql, print, say, returns: count } = context;
  const { worker } = temporal;
  await worker.start();
  say(`making ${count} returns`);
  const requests = await makeReturns(context, count);
  await until(async () => (await countOf(context, 'outbox', 'true')) === 0);
  say('receiving them');
  const begun = performance.now();
  const driven = drive(context, temporal, requests);
  await inParallel({ count, atOnce }, async (index) => {
    const request = requests[index];
    if (request !== undefined) await receiveReturn(sql, request);
  });
  const opening = until(async () => (await opened(context)) === count).then(
    () => performance.now() - begun,
  );

  const openAtKills: number[] = [];
  for (const isHalf of [
    async () => (await opened(context)) >= count / 2,
    async () => (await settled(context)) >= count / 2,
  ]) {
    await until(isHalf);
    await worker.kill();
    openAtKills.push(
      await countOf(
        context,
        'return_requests',
        "status = 'UnderInspection' and not requires_staff_review",
      ),
    );
    await worker.start();
  }
  const planned = await driven;
  const openedMs = await opening;
  await until(async () => (await settled(context)) === count);
  // Whatever would come twice had its time to come.
  await until(async () => (await countOf(context, 'outbox', 'true')) === 0);
  await delay(2 * times.startMs);
  const verdict = await judgeReturns(sql, planned);
  const failedRuns = await temporal.client.workflow.count(
    "WorkflowType = 'returnInspection' and ExecutionStatus in ('Failed', 'Terminated', " +
      "'TimedOut', 'Canceled')",
  );
  report(print, { count, openAtKills, openedMs, verdict, failedRuns: failedRuns.count });
}

async function makeReturns(
  { sql }: BenchmarkContext,
  count: number,
): Promise<readonly ReturnRequest[]> {
  const variantId = await seedVariant(sql);
  const vendorIds = await Promise.all(Array.from({ length: vendors }, () => seedVendor(sql)));
  const requests: ReturnRequest[] = [];
  await inParallel({ count, atOnce }, async (index) => {
    const vendorId = vendorIds[index % vendors] ?? '';
    const { reason } = planOf(index);
    const made = await seedReturn(sql, { vendorId, variantId, reasons: [reason], times });
    requests[index] = await moveReturnTo(sql, made, 'InTransit');
  });
  return requests;
}

async function countOf(
  { sql }: BenchmarkContext,
  tableName: string,
  condition: string,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from ${sql(tableName)} where ${sql.unsafe(condition)}`;
  return row.count;
}
const opened = (context: BenchmarkContext) =>
  countOf(context, 'return_requests', 'inspection_started_at is not null');
const settled = (context: BenchmarkContext) =>
  countOf(
    context,
    'return_requests',
    'outcome is not null or (requires_staff_review and inspection_deadline < now())',
  );

/**
 * Does what is planned with each inspection, as soon as it has begun or some time within its
 * window.
 */
async function drive(
  context: BenchmarkContext,
  temporal: TemporalSide,
  requests: readonly ReturnRequest[],
): Promise<readonly Planned[]> {
  const { sql } = context;
  const act = await actor(context, temporal);
  const byId = new Map(
    requests.map((request, index) => [request.id, { request, ...planOf(index) }]),
  );
  const seen = new Set<string>();
  const doings: Promise<Planned>[] = [];
  await until(async () => {
    const begun = await sql<{ id: string }[]>`
      select id from return_requests where inspection_started_at is not null
        and not id = any(${[...seen]}::uuid[])`;
    for (const { id } of begun) {
      seen.add(id);
      const found = byId.get(id);
      if (found === undefined) throw new Error('a return that the benchmark did not create');
      const { request, plan, reason } = found;
      doings.push(
        act(request, plan, doings.length).then((answer) => ({ id, plan, reason, answer })),
      );
    }
    return doings.length === requests.length;
  });
  return Promise.all(doings);
}

const rejection: ReturnCommand = { action: 'decide', outcome: 'Rejected', reason: null };

async function actor({ sql, say }: BenchmarkContext, { client, taskQueue }: TemporalSide) {
  const operator = await seedOperator(sql);
  const decisions = createDecisions(client, { taskQueue, timeoutMs: decisionTimeoutMs });
  const propose = async (request: ReturnRequest): Promise<Answer> => {
    try {
      await addSeededEvidence(sql, request);
      await proposeAsVendor(sql, request, 'AcceptedSound');
      return 'taken';
    } catch (error) {
      say(`a proposal was refused: ${String(error)}`);
      return 'refused';
    }
  };
  const decide = async ({ id, vendorId }: ReturnRequest): Promise<Answer> => {
    const commandId = await seedCommand(sql, operator.id, id, rejection, decisionTimeoutMs);
    const input = {
      returnId: id,
      vendorId: vendorId ?? '',
      inspectionStartMs: times.startMs,
      inspectionWindowMs: times.windowMs,
    };
    for (;;) {
      try {
        const { action } = rejection;
        const answer = await decisions.decideReturn(input, {
          action,
          commandId,
          operatorId: operator.operatorId,
        });
        return answer.ok ? 'taken' : 'refused';
      } catch {
        // No answer while no worker runs. Asked again under the same id, it says what came of the
        // first.
        await delay(200);
      }
    }
  };
  return async (
    request: ReturnRequest,
    plan: Planned['plan'],
    turn: number,
  ): Promise<Answer | null> => {
    if (plan === 'silence') return null;
    if (plan === 'proposal') return propose(request);
    // All over the window, the last ones at its very end.
    await delay((turn % 50) * (times.windowMs / 50));
    return decide(request);
  };
}

function report(
  print: BenchmarkContext['print'],
  given: {
    readonly count: number;
    readonly openAtKills: readonly number[];
    readonly openedMs: number;
    readonly verdict: Verdict;
    readonly failedRuns: number;
  },
): void {
  const { count, openAtKills, openedMs, verdict, failedRuns } = given;
  const { wrong, early, doubled, lateMs, counts } = verdict;
  print(
    `Windows of ${times.windowMs / 1000} s; ${counts.silence} ended in silence, ` +
      `${counts.flagged} with a proposal, ${counts.staff} by staff; open at the kills: ` +
      `${openAtKills.join(', ')}; from the first receipt until all were open ` +
      `${figure(openedMs / 1000)} s:`,
  );
  print(
    table(
      [
        'returns',
        'SIGKILLs',
        'wrong',
        'early',
        'doubled',
        'failed runs',
        'late ms, median',
        'p99',
        'longest',
      ],
      [
        [
          count,
          openAtKills.length,
          wrong.length,
          early.length,
          doubled.length,
          failedRuns,
          median(lateMs),
          quantile(lateMs, 0.99),
          quantile(lateMs, 1),
        ],
      ],
    ),
  );
  const bad = [...wrong, ...early, ...doubled];
  if (bad.length + failedRuns > 0)
    throw new Error(`not as it should be: ${bad.slice(0, 10).join(', ')}`);
}
