import type { FaultGateway, Needs } from './gateway/fault-gateway.ts';
import type { Player } from './player.ts';
import type { PreparedStory, Story, StoryContext } from './stories/story.ts';

/** What a fault may do with the stories. */
export type FaultContext = {
  readonly storyContext: StoryContext;
  /** Until each story has ended a given number of further turns. */
  readonly goOn: (more: number) => Promise<void>;
  /** Begins no more turns, and waits until all have ended. */
  readonly endAll: () => Promise<void>;
  /** Tells the stories that Postgres was set back to an instant (ms of `Date.now`). */
  readonly forget: (sinceMs: number) => Promise<void>;
  /** Makes each call without a good response a problem of the drill. */
  readonly reportFailedCalls: () => void;
  /** Counts one more story, whose turns the fault plays. */
  readonly addStory: (story: Story, prepared: PreparedStory) => Player;
};

/** A row of the fault table. */
export type Fault = {
  readonly id: string;
  readonly title: string;
  /** What the drill does beyond its title, as a sentence. */
  readonly how: string;
  readonly needs?: Needs;
  /** The command that installs what this machine lacks for the fault; null if it lacks nothing. */
  readonly missing?: () => string | null;
  /** Multiplies the times between the turns, so that the stories last as long as the fault. */
  readonly pace?: number;
  /**
   * Does the damage and takes it back; resolves when every process runs again. Returns the instant
   * (ms of `Date.now`) from which on nothing but the gateway's own start hindered it.
   */
  readonly inject: (gateway: FaultGateway, context: FaultContext) => Promise<number>;
};

type PartName = 'postgres' | 'temporal' | 'api' | 'worker';

export const takeAway = (gateway: FaultGateway, names: readonly PartName[]) =>
  Promise.all(names.map((name) => gateway[name].takeAway()));
export const bringBack = (gateway: FaultGateway, names: readonly PartName[]) =>
  Promise.all(names.map((name) => gateway[name].bringBack()));

/** The same at once; returns when that was, in ms of `Date.now`. */
export async function bringBackNow(gateway: FaultGateway, names: readonly PartName[]) {
  const overMs = Date.now();
  await bringBack(gateway, names);
  return overMs;
}

/** SIGKILL; a supervisor starts the processes again at once. */
export const kill =
  (...names: readonly PartName[]) =>
  async (gateway: FaultGateway): Promise<number> => {
    await takeAway(gateway, names);
    return bringBackNow(gateway, names);
  };
