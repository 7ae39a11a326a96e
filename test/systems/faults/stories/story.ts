import type { FaultGateway } from '../gateway/fault-gateway.ts';
import type { Clients } from './clients.ts';

/** What the record and the receiver have of one thing that a client sent, by its key. */
export type Row = {
  readonly key: string;
  /** Whether it has reached its end. */
  readonly isEnded: boolean;
  /** How often something is there or came that should be so once: 0 if all is right. */
  readonly doubled: number;
  /** What is not as the story says, in words; null if all is right. */
  readonly wrong: string | null;
  /** Before this instant (ms of `Date.now`) it cannot end; null if nothing but work holds it up. */
  readonly dueMs: number | null;
};

/** One client's turn in a story. */
export type Turn = {
  readonly number: number;
  /** Repeats a call that may be repeated, until it succeeds. The gateway then owes `key`. */
  readonly persist: <T>(key: string, call: () => Promise<T>) => Promise<T>;
  /**
   * Makes a call that must not be repeated, and makes another one with another key if it gets no
   * good response, until one succeeds.
   */
  readonly attempt: (call: (key: string) => Promise<unknown>) => Promise<void>;
};

/** A row whose end only work holds up. */
export const rowOf = (
  key: string,
  { isEnded, doubled = 0, wrong = null, dueMs = null }: Partial<Omit<Row, 'key'>>,
): Row => ({ key, isEnded: isEnded === true, doubled, wrong, dueMs });

/** A story that is ready to begin. */
export type PreparedStory = {
  readonly play: (turn: Turn) => Promise<void>;
  /** Reads the rows of everything that the clients sent. */
  readonly read: () => Promise<readonly Row[]>;
};

export type StoryContext = Pick<FaultGateway, 'sql' | 'receiver' | 'secretsKey'> & {
  readonly clients: Clients;
  /** Distinguishes the keys of this drill. */
  readonly drill: string;
  /** The most turns of this story. */
  readonly turnsMax: number;
};

/** One of the gateway's jobs, as clients see it from beginning to end. */
export type Story = {
  readonly title: string;
  /** Its course and its end, as a sentence. */
  readonly course: string;
  /** A client begins its turn at this interval, in ms. */
  readonly everyMs: number;
  /** The most turns that have not ended. */
  readonly openMax: number;
  /** The most turns of a long drill. */
  readonly turnsMax: number;
  /** Whether a client may repeat its turn after a restore of an earlier record. */
  readonly isRepeatable: boolean;
  readonly prepare: (context: StoryContext) => Promise<PreparedStory>;
};
