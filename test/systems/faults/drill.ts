import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import type { FaultGateway } from './gateway/fault-gateway.ts';
import { startPlayer, type Cell, type Player } from './player.ts';
import { createClients } from './stories/clients.ts';
import { stories } from './stories/stories.ts';
import type { Story } from './stories/story.ts';

/** The result of one fault. */
export type Drilled = Awaited<ReturnType<typeof runDrill>>;

export const isGood = ({ cells, isDoctorClean, problems }: Drilled): boolean =>
  isDoctorClean &&
  problems.length === 0 &&
  Object.values(cells).every(
    ({ lost, doubled, stuck, wrong }) => lost + doubled + stuck + wrong === 0,
  );

/** How long a drill is. */
export const longDrill = {
  /** The part of each story's turns. */
  share: 1,
  /** By how much more time the turns of a story begin one after the other. */
  pace: 1,
  /** What a story ends before the fault, so that the fault hits it in the middle. */
  endedBefore: 3,
  /** The most that each story ends within a step of a fault. */
  stepMax: Infinity,
  /**
   * How long the reconciliation after a fault may take to close the runs that the fault has left
   * open. Far less than the ten minutes until the next one.
   */
  repairMaxMs: 90_000,
};
/** Long past what a recovery takes: what has not ended by then is stuck. */
const recoveryMaxMs = 240_000;
const pollMs = 250;

/** Polls until it holds; returns whether it did within the time. */
async function until(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + recoveryMaxMs;
  while (performance.now() < deadline) {
    // Postgres may be away.
    if (await holds().catch(() => false)) return true;
    await delay(pollMs);
  }
  return false;
}

const updateAll = (players: readonly Player[]) =>
  Promise.all(players.map((player) => player.update()));
const endedOf = ({ items }: Player): number =>
  items.filter(({ endedMs }) => endedMs !== null).length;

/** Until each story has ended a given number of further turns. */
async function goOn(players: readonly Player[], more: number): Promise<void> {
  const before = players.map(endedOf);
  const hasGoneOn = await until(async () => {
    await updateAll(players);
    return players.every((player, index) => endedOf(player) >= (before[index] ?? 0) + more);
  });
  if (hasGoneOn) return;
  const states = await Promise.all(
    players.map(async (player, index) => {
      const ended = endedOf(player);
      const { problems } = await player.judge(Date.now(), Date.now());
      const why =
        ended < (before[index] ?? 0) + more ? ` (${problems.slice(0, 5).join('; ')})` : '';
      return `${player.title}: ${ended} of ${player.items.length} ended${why}`;
    }),
  );
  throw new Error(`the stories do not go on: ${states.join(', ')}`);
}

/** The messages and deliveries that the gateway has left to handle. */
async function countLeft({ sql }: FaultGateway): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select (select count(*)::int from outbox)
      + (select count(*)::int from webhook_deliveries where state = 'waiting') as count`;
  return row.count;
}

/** Plays all stories over a gateway, hits it with a fault in the middle, and counts. */
export async function runDrill(
  gateway: FaultGateway,
  fault: Fault,
  say: (text: string) => void,
  { share, pace, endedBefore, stepMax, repairMaxMs } = longDrill,
) {
  const begun = performance.now();
  const { sql, receiver, secretsKey } = gateway;
  const drill = `${fault.id}-${Date.now()}`;
  const clients = await createClients(sql, gateway.apiUrl);
  const storyContext = { sql, receiver, secretsKey, clients, drill, turnsMax: 0 };
  say('preparing the stories');
  const prepared = await Promise.all(
    stories.map(async (story) => {
      const turnsMax = Math.ceil(story.turnsMax * share);
      return { story, turnsMax, ready: await story.prepare({ ...storyContext, turnsMax }) };
    }),
  );
  const played = prepared.map(({ story, ready, turnsMax }) =>
    startPlayer({ ...story, everyMs: story.everyMs * pace * (fault.pace ?? 1) }, ready, turnsMax),
  );
  const players: Player[] = [...played];
  const problems: string[] = [];
  const examine = () => gateway.doctor('--histories', '300');
  /** Until nothing that has begun is left to do. */
  const endAll = async (): Promise<void> => {
    for (const player of players) player.stopBeginning();
    await until(async () => {
      await updateAll(players);
      return (
        players.every((player) => endedOf(player) === player.items.length) &&
        (await countLeft(gateway)) === 0
      );
    });
  };
  let [overMs, runsMs] = [Date.now(), Date.now()];
  try {
    await goOn(played, endedBefore);
    say('the fault');
    const context: FaultContext = {
      storyContext,
      goOn: (more) => goOn(played, Math.min(more, stepMax)),
      endAll,
      forget: async (sinceMs) => {
        receiver.forget(sinceMs, Date.now());
        for (const player of players) await player.forget(sinceMs);
      },
      reportFailedCalls: () => {
        const failed = players.flatMap(({ items }) =>
          items.flatMap(({ problem }) => problem ?? []),
        );
        problems.push(...failed.map((problem) => `a call failed: ${problem}`));
      },
      addStory: (story: Story, ready) => {
        const player = startPlayer(story, ready, 0);
        players.push(player);
        return player;
      },
    };
    overMs = await fault.inject(gateway, context);
    runsMs = Date.now();
    say('recovering');
    const isOver = (player: Player): boolean =>
      player.items.every(({ begunMs, endedMs }) => begunMs >= runsMs || endedMs !== null);
    await until(async () => {
      await updateAll(players);
      return players.every(isOver);
    });
    await endAll();
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    await Promise.all(players.map((player) => player.abandon()));
  }
  const cells: Record<string, Cell> = {};
  for (const player of players) {
    const cell = await player.judge(overMs, runsMs);
    cells[player.title] = merge(cells[player.title], cell);
  }
  say('the doctor');
  const repairedBy = performance.now() + repairMaxMs;
  let examined = await examine();
  while (examined.code !== 0 && performance.now() < repairedBy) {
    say('the doctor again');
    examined = await examine();
  }
  const { code, stdout, stderr } = examined;
  if (code !== 0)
    for (const line of `${stdout}${stderr}`.split('\n'))
      if (line !== '' && !line.startsWith('✓')) problems.push(`the doctor: ${line}`);
  if (receiver.unverified() > 0)
    problems.push(`${receiver.unverified()} requests had no valid signature`);
  return {
    fault: fault.id,
    title: fault.title,
    postgresVersion: gateway.postgresVersion,
    seconds: (performance.now() - begun) / 1000,
    /** By the title of the story. */
    cells,
    isDoctorClean: code === 0,
    /** What is wrong apart from the cells. */
    problems,
  };
}

function merge(one: Cell | undefined, other: Cell): Cell {
  if (one === undefined) return other;
  return {
    lost: one.lost + other.lost,
    doubled: one.doubled + other.doubled,
    stuck: one.stuck + other.stuck,
    wrong: one.wrong + other.wrong,
    recoverySeconds: Math.max(one.recoverySeconds, other.recoverySeconds),
    begun: one.begun + other.begun,
    problems: [...one.problems, ...other.problems],
  };
}
