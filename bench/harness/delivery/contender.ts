import type { Sql } from '../../../db/core/client.ts';
import type { Target } from './target.ts';

/** A running stack that turns requests of the driver into webhooks to the receiver. */
export type Contender = {
  readonly name: string;
  /** The roots of its process trees. */
  readonly processes: () => Readonly<Record<string, number>>;
  /** Its credentials are good for some minutes, so each measurement asks for a new one. */
  readonly target: () => Target;
  /** Its database. */
  readonly sql: Sql;
  /** How many deliveries its database has recorded as successful. */
  readonly recorded: () => Promise<number>;
  /** The process that sends, to let a backlog grow; null if it accepts the requests too. */
  readonly sender: {
    readonly start: () => Promise<void>;
    readonly stop: () => Promise<void>;
  } | null;
  readonly stop: () => Promise<void>;
};
