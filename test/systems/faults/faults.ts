import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../../db/core/migrate.ts';
import { holdSnapshot } from '../../support/database/hold-snapshot.ts';
import { hasFakeTime, withClock } from '../../support/fake-time.ts';
import { bringBackNow, kill, takeAway, type Fault } from './fault.ts';
import { deliveryBurst, prepareBursts } from './stories/burst.ts';
import { environment } from './gateway/fault-gateway.ts';
import { restores } from './restores.ts';

const frozenMs = 20_000;
const awayMs = 60_000;
const cuts = 15;
const fullMs = 10_000;
const diskMiB = 1024;
const pileEvents = 10_000;
const pileBurst = 400;
const heldSeconds = 120;
const heldPerSecond = 20;

/** One process has a clock that is off while the stories go on, and then a right one again. */
const clockOff =
  (name: 'api' | 'worker', offset: string): Fault['inject'] =>
  async (gateway, { goOn }) => {
    gateway.setEnvironment(name, withClock(offset));
    await kill(name)(gateway);
    await goOn(5);
    gateway.setEnvironment(name, {});
    return kill(name)(gateway);
  };
const missingFakeTime = (): string | null => (hasFakeTime ? null : 'apt-get install libfaketime');
const clockText =
  'libfaketime changes the clock of the process while each story ends five turns. Then the ' +
  'process starts again with the right clock.';
const restarted = 'A supervisor starts it again at once.';

/** Turns of each story that end before the next step. */
const partsOfStep = 2;

/** Both versions serve the clients, behind a proxy that asks `/ready`; no call may fail. */
const sideBySide: Fault = {
  id: 'side-by-side',
  title: 'The version before the newest migration beside this one, both ways',
  how:
    'The older version begins on its own schema. The migration runs, and this version runs ' +
    'beside the older one and replaces it. On the new schema, the older version then replaces ' +
    'this one, and this one the older. A proxy before the APIs checks `/ready`. Each failed call ' +
    'is a finding.',
  needs: { older: true },
  pace: 5,
  inject: async (gateway, { goOn, reportFailedCalls }) => {
    const { older, databaseUrl, addApi, addWorker } = gateway;
    if (older === null) throw new Error('this drill needs an older version');
    const step = () => goOn(partsOfStep);
    let parts = [gateway.api, gateway.worker];
    /** Replaces the processes one after the other, as an operator does. */
    const replaceBy = async (version: 'older' | 'present'): Promise<void> => {
      const next = [await addWorker(version), await addApi(version)];
      await step();
      for (const part of parts) {
        await part.shutDown();
        await step();
      }
      parts = next;
    };
    await step();
    await migrate(databaseUrl, () => undefined, environment);
    await step();
    await replaceBy('present');
    await replaceBy('older');
    await replaceBy('present');
    reportFailedCalls();
    return Date.now();
  },
};

/** Postgres keeps each row that the gateway deletes meanwhile. */
const snapshotHeld: Fault = {
  id: 'snapshot-held',
  title: 'A snapshot held under load',
  how:
    `A transaction stays open for ${heldSeconds} s, while ${heldPerSecond} events a second are ` +
    'written in bursts, which the row counts. `npm run bench -- held-snapshot` measures the times.',
  inject: async ({ databaseUrl }, { addStory, storyContext }) => {
    const bursts = await prepareBursts(storyContext, heldPerSecond);
    const player = addStory(deliveryBurst, { play: () => Promise.resolve(), ...bursts });
    const snapshot = await holdSnapshot(databaseUrl);
    try {
      for (let second = 0; second < heldSeconds; second += 1) {
        const key = `held ${second}`;
        await Promise.all([bursts.emit(key), delay(1000)]);
        player.owe(key);
      }
      return Date.now();
    } finally {
      await snapshot.release();
    }
  },
};

/** The rows of the fault table. */
export const faults: readonly Fault[] = [
  { id: 'kill-api', title: 'kill -9 of the API', how: restarted, inject: kill('api') },
  { id: 'kill-worker', title: 'kill -9 of the worker', how: restarted, inject: kill('worker') },
  { id: 'kill-temporal', title: 'kill -9 of Temporal', how: restarted, inject: kill('temporal') },
  {
    id: 'kill-postgres',
    title: 'kill -9 of Postgres',
    how: 'All its processes die. A supervisor starts it again at once.',
    inject: kill('postgres'),
  },
  {
    id: 'kill-all',
    title: 'kill -9 of all four at once',
    how: 'A supervisor starts all of them again at once.',
    inject: kill('api', 'worker', 'temporal', 'postgres'),
  },
  {
    id: 'postgres-frozen',
    title: `Postgres frozen for ${frozenMs / 1000} s`,
    how: 'SIGSTOP stops all its processes, and SIGCONT continues them.',
    inject: async ({ postgres }) => {
      postgres.freeze();
      await delay(frozenMs);
      postgres.thaw();
      return Date.now();
    },
  },
  {
    id: 'temporal-away',
    title: `Temporal away for ${awayMs / 1000} s`,
    how: 'The clients continue to call.',
    inject: async (gateway) => {
      await takeAway(gateway, ['temporal']);
      await delay(awayMs);
      return bringBackNow(gateway, ['temporal']);
    },
  },
  {
    id: 'connections-cut',
    title: `All connections cut, each second for ${cuts} s`,
    how:
      'Proxies between API and worker on one side, Postgres and Temporal on the other, reset all ' +
      'their connections.',
    needs: { proxies: true },
    inject: async ({ proxies }) => {
      for (let cut = 0; cut < cuts; cut += 1) {
        for (const proxy of proxies) proxy.cutAll();
        await delay(1000);
      }
      return Date.now();
    },
  },
  {
    id: 'disk-full',
    title: 'The disk of Postgres full',
    how:
      `The data is on a tmpfs of ${diskMiB} MiB. A file fills it for ${fullMs / 1000} s after ` +
      'the first write that failed.',
    needs: { diskMiB },
    inject: async ({ disk, sql }) => {
      if (disk === null) throw new Error('this fault needs a disk');
      const canWrite = async (): Promise<boolean> => {
        await disk.fill();
        try {
          await sql`
            create table filler as
            select repeat(md5(n::text), 200) as text from generate_series(1, 2000) as n`;
          await sql`drop table filler`;
          return true;
        } catch {
          return false;
        }
      };
      while (await canWrite()) await delay(100);
      await delay(fullMs);
      await disk.free();
      return Date.now();
    },
  },
  {
    id: 'clock-worker',
    title: 'The clock of the worker 10 minutes ahead',
    how: clockText,
    missing: missingFakeTime,
    inject: clockOff('worker', '+10m'),
  },
  {
    id: 'clock-api',
    title: 'The clock of the API 10 minutes behind',
    how: clockText,
    missing: missingFakeTime,
    inject: clockOff('api', '-10m'),
  },
  {
    id: 'two-relays',
    title: 'Two APIs and two workers',
    how: 'All four relay messages. Then kill -9 ends one API and one worker.',
    inject: async (gateway, { goOn }) => {
      await Promise.all([gateway.addApi(), gateway.addWorker()]);
      await goOn(5);
      return kill('api', 'worker')(gateway);
    },
  },
  {
    id: 'pile',
    title: '10,000 messages piled up',
    how: 'The worker is stopped while 10,000 events are written. The row counts them as bursts.',
    inject: async (gateway, { addStory, storyContext }) => {
      await takeAway(gateway, ['worker']);
      const bursts = await prepareBursts(storyContext, pileBurst);
      const player = addStory(deliveryBurst, { play: () => Promise.resolve(), ...bursts });
      for (let sent = 0; sent < pileEvents; sent += pileBurst) {
        const key = `pile ${sent}`;
        await bursts.emit(key);
        player.owe(key);
      }
      return bringBackNow(gateway, ['worker']);
    },
  },
  ...restores,
  sideBySide,
  snapshotHeld,
];
