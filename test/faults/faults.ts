import { setTimeout as delay } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import type { FaultGateway, Needs } from './gateway/fault-gateway.ts';
import { copyFrozen, restoreCopy } from './gateway/copy-frozen.ts';
import type { Player } from './player.ts';
import { deliveryBatch, prepareBursts } from './stories/batch.ts';
import type { PreparedStory, Story, StoryContext } from './stories/story.ts';

/** What a fault may do with the stories. */
export type FaultContext = {
  readonly storyContext: StoryContext;
  /** Until each story has ended so many more of its parts. */
  readonly goOn: (more: number) => Promise<void>;
  /** Tells the stories that Postgres was set back to an instant (ms of `Date.now`). */
  readonly forget: (sinceMs: number) => Promise<void>;
  /** Counts one more story, whose parts the fault plays. */
  readonly addStory: (story: Story, prepared: PreparedStory) => Player;
};

/** A row of the fault table. */
export type Fault = {
  readonly id: string;
  readonly title: string;
  readonly needs?: Needs;
  /**
   * Does the damage and takes it back; resolves when every process runs again. Answers the instant
   * (ms of `Date.now`) from which on nothing but the gateway's own start hindered it.
   */
  readonly inject: (gateway: FaultGateway, context: FaultContext) => Promise<number>;
};

type PartName = 'postgres' | 'temporal' | 'api' | 'worker';

const takeAway = (gateway: FaultGateway, names: readonly PartName[]) =>
  Promise.all(names.map((name) => gateway[name].takeAway()));
const bringBack = (gateway: FaultGateway, names: readonly PartName[]) =>
  Promise.all(names.map((name) => gateway[name].bringBack()));

/** SIGKILL; a supervisor starts the processes again at once. */
const kill =
  (...names: readonly PartName[]): Fault['inject'] =>
  async (gateway) => {
    await takeAway(gateway, names);
    const overMs = Date.now();
    await bringBack(gateway, names);
    return overMs;
  };

const frozenMs = 20_000;
const awayMs = 60_000;
const cutMs = 15_000;
const fullMs = 10_000;
const pileEvents = 10_000;
const pileBurst = 400;

const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** One process has a clock that is off while the stories go on, and then a right one again. */
const clockOff =
  (name: 'api' | 'worker', offset: string): Fault['inject'] =>
  async (gateway, { goOn }) => {
    if (!existsSync(fakeTime)) throw new Error('install libfaketime (apt-get install libfaketime)');
    const environment = {
      LD_PRELOAD: fakeTime,
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    gateway.setEnvironment(name, environment);
    await kill(name)(gateway, unused);
    await goOn(5);
    gateway.setEnvironment(name, {});
    return kill(name)(gateway, unused);
  };
/** A kill needs no story. */
const unused = {} as FaultContext;

/** The rows of the fault table. */
export const faults: readonly Fault[] = [
  { id: 'kill-api', title: 'kill -9 of the API', inject: kill('api') },
  { id: 'kill-worker', title: 'kill -9 of the worker', inject: kill('worker') },
  { id: 'kill-temporal', title: 'kill -9 of Temporal', inject: kill('temporal') },
  { id: 'kill-postgres', title: 'kill -9 of Postgres', inject: kill('postgres') },
  {
    id: 'kill-all',
    title: 'kill -9 of all four at once',
    inject: kill('api', 'worker', 'temporal', 'postgres'),
  },
  {
    id: 'postgres-frozen',
    title: 'Postgres frozen for 20 s',
    inject: async ({ postgres }) => {
      await postgres.freeze();
      await delay(frozenMs);
      await postgres.thaw();
      return Date.now();
    },
  },
  {
    id: 'temporal-away',
    title: 'Temporal away for 60 s',
    inject: async (gateway) => {
      await takeAway(gateway, ['temporal']);
      await delay(awayMs);
      const overMs = Date.now();
      await bringBack(gateway, ['temporal']);
      return overMs;
    },
  },
  {
    id: 'connections-cut',
    title: 'All connections cut, each second for 15 s',
    needs: { proxies: true },
    inject: async ({ proxies }) => {
      for (let cutsLeft = cutMs / 1000; cutsLeft > 0; cutsLeft -= 1) {
        for (const proxy of proxies) proxy.cutAll();
        await delay(1000);
      }
      return Date.now();
    },
  },
  {
    id: 'disk-full',
    title: 'The disk of Postgres full',
    needs: { diskMiB: 512 },
    inject: async ({ disk, sql }) => {
      if (disk === null) throw new Error('this fault needs a disk');
      const isHurt = async (): Promise<boolean> => {
        await disk.fill();
        return sql`create table if not exists filler as select repeat('x', 8000) as text
          from generate_series(1, 2000)`.then(
          () => sql`drop table filler`.then(() => false),
          () => true,
        );
      };
      while (!(await isHurt())) await delay(100);
      await delay(fullMs);
      await disk.free();
      return Date.now();
    },
  },
  {
    id: 'clock-worker',
    title: 'The clock of the worker 10 minutes ahead',
    inject: clockOff('worker', '+10m'),
  },
  {
    id: 'clock-api',
    title: 'The clock of the API 10 minutes behind',
    inject: clockOff('api', '-10m'),
  },
  {
    id: 'two-relays',
    title: 'Two APIs and two workers, one of each killed',
    inject: async (gateway, { goOn }) => {
      await Promise.all([gateway.addApi(), gateway.addWorker()]);
      await goOn(5);
      return kill('api', 'worker')(gateway, unused);
    },
  },
  {
    id: 'pile',
    title: '10,000 messages piled up while no worker runs',
    inject: async (gateway, { addStory, storyContext }) => {
      await takeAway(gateway, ['worker']);
      const bursts = await prepareBursts(storyContext, pileBurst);
      const player = addStory(deliveryBatch, { play: () => Promise.resolve(), ...bursts });
      for (let sent = 0; sent < pileEvents; sent += pileBurst) {
        const key = `pile ${sent}`;
        await bursts.emit(key);
        player.owe(key);
      }
      const overMs = Date.now();
      await bringBack(gateway, ['worker']);
      return overMs;
    },
  },
  {
    id: 'temporal-lost',
    title: "Temporal's database lost altogether",
    inject: async (gateway) => {
      await takeAway(gateway, ['temporal']);
      await restoreCopy(null, gateway.temporalFolder);
      const overMs = Date.now();
      await bringBack(gateway, ['temporal']);
      return overMs;
    },
  },
  {
    id: 'postgres-restored',
    title: 'Postgres restored to an earlier point, Temporal newer',
    // As docs/operating.md says.
    inject: async (gateway, { goOn, forget }) => {
      const copy = await copyFrozen(gateway.postgres, gateway.postgresData);
      await goOn(4);
      await takeAway(gateway, ['api', 'worker', 'postgres']);
      await restoreCopy(copy, gateway.postgresData);
      const overMs = Date.now();
      await bringBack(gateway, ['postgres']);
      await forget(copy.atMs);
      await bringBack(gateway, ['worker']);
      await gateway.doctor('--repair', '--histories', '300');
      await bringBack(gateway, ['api']);
      return overMs;
    },
  },
  {
    id: 'temporal-restored',
    title: 'Temporal restored to an earlier point, Postgres newer',
    inject: async (gateway, { goOn }) => {
      const copy = await copyFrozen(gateway.temporal, gateway.temporalFolder);
      await goOn(4);
      await takeAway(gateway, ['temporal']);
      await restoreCopy(copy, gateway.temporalFolder);
      const overMs = Date.now();
      await bringBack(gateway, ['temporal']);
      return overMs;
    },
  },
];
