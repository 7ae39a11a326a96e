import { setTimeout as delay } from 'node:timers/promises';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { offerReviewId, returnInspectionId } from '../../../workflows/ids.ts';
import { readEvents, untilQuiet, type CostsGateway } from './costs-gateway.ts';
import type { Operation } from './operations.ts';
import type { Unit } from './postgres-proxy.ts';
import { watchWal, type WrittenRows } from './wal.ts';

/** What one operation costs. */
export type Costs = {
  readonly name: string;
  readonly statements: number;
  readonly roundTrips: number;
  readonly walBytes: number;
  readonly temporalCalls: number;
  readonly historyEvents: number;
  readonly rows: readonly WrittenRows[];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const isOfTransaction = (text: string): boolean =>
  /^(?:begin|commit|rollback|savepoint)/i.test(text);
/** Until the processes have answered a notification. */
const wakeMs = 2000;
const idleMs = 20_000;
export const idleName = '20 s without a call';

/** Measures what the processes do by themselves, and then each operation without it. */
export async function measureCosts(
  costs: CostsGateway,
  operations: readonly Operation[],
): Promise<readonly Costs[]> {
  const wal = await watchWal(costs.sql);
  const compact = () => costs.compaction.released(() => compactCounters(costs.sql));
  const clear = async (): Promise<void> => {
    await compact();
    costs.postgres.take();
    costs.temporal.take();
    await wal.skip();
  };
  // Prepares the statements of each connection and warms the processes' memories up.
  for (const operation of operations) await doOperation(costs, operation, 2, clear);
  await clear();
  // A claim that takes nothing. How many messages share a claim depends on the time.
  await costs.sql`select pg_notify('outbox', ''), pg_notify('outbox_commands', '')`;
  await delay(wakeMs);
  const claims = costs.postgres.take();
  await clear();
  await delay(idleMs);
  const idle = {
    units: costs.postgres.take(),
    // Runs of the warm-up end by their timers meanwhile: their tasks are of their operations.
    calls: costs.temporal.take().filter((name) => !name.startsWith('RespondWorkflowTask')),
    rows: await wal.read(),
  };
  const idleTexts = new Set([...claims, ...idle.units].flatMap(({ texts }) => texts));
  const idleCalls = new Set(idle.calls);
  const measured = [costsOf(idleName, 1, { ...idle, historyEvents: 0 })];
  for (const operation of operations) {
    const historyEvents = await doOperation(costs, operation, operation.times, clear);
    const units = costs.postgres.take();
    const calls = costs.temporal.take();
    await compact();
    const own = {
      units: units.filter(({ texts }) => !texts.every((text) => idleTexts.has(text))),
      calls: calls.filter((name) => !idleCalls.has(name)),
      rows: await wal.read(),
      historyEvents,
    };
    measured.push(costsOf(operation.name, operation.times, own));
  }
  return measured;
}

/** Does an operation so often, and returns how many events its histories got. */
async function doOperation(
  costs: CostsGateway,
  { prepare, run }: Operation,
  times: number,
  onPrepared: () => Promise<void>,
): Promise<number> {
  const subjects: string[] = [];
  for (let each = 0; each < times; each += 1) subjects.push((await prepare?.()) ?? '');
  const known = subjects.flatMap((id) => [offerReviewId(id), returnInspectionId(id)]);
  await untilQuiet(costs, known);
  const before = await readEvents(costs, known);
  await onPrepared();
  const runIds = new Set(known);
  for (const subject of subjects) {
    const own = await run(subject);
    await untilQuiet(costs, own);
    for (const id of own) runIds.add(id);
  }
  const after = await readEvents(costs, [...runIds]);
  return sum([...after].map(([runId, events]) => events - (before.get(runId) ?? 0)));
}

function costsOf(
  name: string,
  times: number,
  counted: {
    readonly units: readonly Unit[];
    readonly calls: readonly string[];
    readonly rows: readonly WrittenRows[];
    readonly historyEvents: number;
  },
): Costs {
  const mean = (count: number): number => Math.round((count * 10) / times) / 10;
  const texts = counted.units.flatMap((unit) => unit.texts);
  return {
    name,
    statements: mean(texts.filter((text) => !isOfTransaction(text)).length),
    roundTrips: mean(sum(counted.units.map(({ roundTrips }) => roundTrips))),
    walBytes: Math.round(sum(counted.rows.map(({ walBytes }) => walBytes)) / times),
    temporalCalls: mean(counted.calls.length),
    historyEvents: mean(counted.historyEvents),
    rows: counted.rows.map((row) => ({
      table: row.table,
      inserted: mean(row.inserted),
      updated: mean(row.updated),
      hot: mean(row.hot),
      deleted: mean(row.deleted),
      walBytes: Math.round(row.walBytes / times),
    })),
  };
}
