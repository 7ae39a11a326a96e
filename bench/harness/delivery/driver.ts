import { forkProgram, type Program } from '../fork-program.ts';
import type { DriverTask, Sent, Target } from './target.ts';

/** What the driver is to send, and where. */
export type Order = { readonly target: Target; readonly task: DriverTask };

/**
 * A client in a process of its own. It answers when the last request is accepted, and fails when
 * one is refused.
 */
export type Driver = Program<Order, readonly Sent[]>;

export const startDriver = (): Driver => forkProgram(new URL('driver-process.ts', import.meta.url));
