import { setTimeout as delay } from 'node:timers/promises';
import type { PreparedStory, Row, Story, Turn } from './stories/story.ts';

/** What became of a story under a fault; all counts are 0 if the gateway did what it owes. */
export type Cell = {
  /** The gateway acknowledged it, and the record does not have it. */
  readonly lost: number;
  /** It is there, or came, more often than once. */
  readonly doubled: number;
  /** It did not reach its end, or a client never got a good response. */
  readonly stuck: number;
  /** It ended otherwise than the story says. */
  readonly wrong: number;
  /** From the end of the fault until the end of all that began before every process ran again. */
  readonly recoverySeconds: number;
  readonly begun: number;
  /** What is behind the counts, in words. */
  readonly problems: readonly string[];
};

/** One client's turn in a story, and what the gateway owes for it. */
export type Item = {
  readonly begunMs: number;
  readonly number: number;
  /** The keys of all calls. */
  readonly sent: Set<string>;
  /** The keys that the gateway acknowledged, and when (ms of `Date.now`). */
  readonly owed: Map<string, number>;
  isPlaying: boolean;
  endedMs: number | null;
  dueMs: number | null;
  /** Why the latest call got no good response. */
  problem: string | null;
};

/** The wait of a client before it calls again. */
const clientRetryMs = 200;

/** Compares what the gateway owes with what it has. */
export function judge(
  items: readonly Item[],
  rows: readonly Row[],
): Pick<Cell, 'lost' | 'doubled' | 'stuck' | 'wrong' | 'problems'> {
  const found = new Map(rows.map((row) => [row.key, row]));
  const sent = new Set(items.flatMap((item) => [...item.sent]));
  const lost = items.flatMap(({ owed }) => [...owed.keys()]).filter((key) => !found.has(key));
  const doubled = rows.filter((row) => row.doubled > 0);
  const open = rows.filter(({ isEnded }) => !isEnded);
  const unanswered = items.filter(({ isPlaying }) => isPlaying);
  const wrong = rows.flatMap(({ wrong }) => wrong ?? []);
  const strange = rows.filter(({ key }) => !sent.has(key));
  return {
    lost: lost.length,
    doubled: doubled.reduce((sum, row) => sum + row.doubled, 0),
    stuck: open.length + unanswered.length,
    wrong: wrong.length + strange.length,
    problems: [
      ...lost.map((key) => `lost: ${key}`),
      ...doubled.map((row) => `doubled: ${row.key}, ${row.doubled} times too often`),
      ...open.map(({ key }) => `stuck: ${key}`),
      ...unanswered.map(({ number, problem }) => `unanswered: turn ${number}, ${problem ?? ''}`),
      ...wrong.map((text) => `wrong: ${text}`),
      ...strange.map(({ key }) => `wrong: no story sent ${key}`),
    ],
  };
}

/** Plays a story over and over, and follows it to its ends. */
export type Player = ReturnType<typeof startPlayer>;

/** Begins to play a story; without turns, only `owe` adds turns. */
export function startPlayer(
  { title, everyMs, openMax, isRepeatable }: Story,
  { play, read }: PreparedStory,
  turnsMax: number,
) {
  const items: Item[] = [];
  const playing = new Set<Promise<void>>();
  const beginning = new AbortController();
  let isAbandoned = false;
  const isOpen = ({ endedMs }: Item): boolean => endedMs === null;

  const turnOf = (item: Item): Turn => {
    const repeat = async <T>(
      next: () => readonly [key: string, call: () => Promise<T>],
    ): Promise<T> => {
      for (;;) {
        const [key, call] = next();
        item.sent.add(key);
        try {
          const value = await call();
          item.owed.set(key, Date.now());
          return value;
        } catch (error) {
          item.problem = String(error);
        }
        await delay(clientRetryMs);
        if (isAbandoned || !items.includes(item)) throw new Error('abandoned');
      }
    };
    let attempts = 0;
    return {
      number: item.number,
      persist: (key, call) => repeat(() => [key, call]),
      attempt: async (call) => {
        await repeat(() => {
          attempts += 1;
          const key = `${item.number}.${attempts}`;
          return [key, () => call(key)];
        });
      },
    };
  };
  const playItem = (item: Item): void => {
    item.isPlaying = true;
    const played = (async () => {
      try {
        await play(turnOf(item));
        item.isPlaying = false;
      } catch {
        // It was abandoned.
      }
    })();
    playing.add(played);
  };
  const next = { number: 0 };
  const newItem = (): Item => {
    const item: Item = {
      number: next.number,
      begunMs: Date.now(),
      sent: new Set(),
      owed: new Map(),
      isPlaying: false,
      endedMs: null,
      dueMs: null,
      problem: null,
    };
    items.push(item);
    next.number += 1;
    return item;
  };
  const begin = async (): Promise<void> => {
    while (!beginning.signal.aborted && next.number < turnsMax) {
      if (items.filter(isOpen).length < openMax) playItem(newItem());
      await delay(everyMs);
    }
  };
  void begin();

  return {
    title,
    items: items as readonly Item[],
    /** Begins no more turns. */
    stopBeginning: () => beginning.abort(),
    /** Looks which turns have ended. */
    update: async (): Promise<void> => {
      if (!items.some(isOpen)) return;
      const rows = new Map((await read()).map((row) => [row.key, row]));
      for (const item of items.filter(isOpen)) {
        const own = [...item.owed.keys()].map((key) => rows.get(key));
        const dues = own.flatMap((row) => row?.dueMs ?? []);
        item.dueMs = dues.length === 0 ? null : Math.max(...dues);
        if (!item.isPlaying && own.length > 0 && own.every((row) => row?.isEnded === true))
          item.endedMs = Date.now();
      }
    },
    /** Adds a turn that something else has played. */
    owe: (key: string): void => {
      const item = newItem();
      item.sent.add(key);
      item.owed.set(key, Date.now());
    },
    /** Gives up what the gateway acknowledged after an instant and the restored record lacks. */
    forget: async (sinceMs: number): Promise<void> => {
      // The read may have begun before the response to what a turn sends meanwhile.
      const known = items.map((item) => ({ item, ...item, owed: new Map(item.owed) }));
      const rows = new Map((await read()).map((row) => [row.key, row]));
      for (const { item, owed, isPlaying: wasPlaying } of known) {
        for (const [key, atMs] of owed)
          if (atMs >= sinceMs && !rows.has(key)) item.owed.delete(key);
        const found = [...item.sent].filter((key) => rows.has(key));
        const isPlaying = wasPlaying || item.isPlaying;
        const isForgotten = !isPlaying && found.length === 0;
        item.endedMs = null;
        if (isRepeatable || isForgotten) items.splice(items.indexOf(item), 1);
        if (isForgotten) continue;
        if (isRepeatable) {
          // The client sees the earlier state, and does what it has left to do.
          const again = { ...item };
          items.push(again);
          playItem(again);
        } else if (!isPlaying && item.owed.size === 0) {
          // The response to another call is forgotten, and this one was stored all the same.
          for (const key of found) item.owed.set(key, sinceMs);
        }
      }
    },
    /** The recovery of the turns that began before `runsMs`, from `overMs` on. */
    judge: async (overMs: number, runsMs: number): Promise<Cell> => {
      const rows = await read();
      const late = items
        .filter(({ begunMs }) => begunMs < runsMs)
        .map(({ endedMs, dueMs }) => (endedMs ?? Date.now()) - Math.max(overMs, dueMs ?? 0));
      return {
        ...judge(items, rows),
        begun: items.length,
        recoverySeconds: Math.max(0, ...late) / 1000,
      };
    },
    /** Ends the turns that still wait for a response. */
    abandon: async (): Promise<void> => {
      beginning.abort();
      isAbandoned = true;
      await Promise.all(playing);
    },
  };
}
