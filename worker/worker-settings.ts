import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ConfigWith } from '../process/config.ts';
import type { AttemptResult } from '../db/webhooks/attempts/record-attempts.ts';
import type { Tracing } from '../process/tracing/tracing.ts';
import type { WorkflowBundle } from './workflow-bundle.ts';

/** What a worker runs with. */
export type WorkerSettings = {
  readonly config: ConfigWith<'DATABASE_URL' | 'SECRETS_KEY'>;
  readonly connection: NativeConnection;
  readonly workflowBundle: WorkflowBundle;
  readonly log: Logger;
  readonly onRecorded?: ((result: AttemptResult) => void) | undefined;
  /** Records spans; null or absent: none. */
  readonly tracing?: Tracing | null;
  /**
   * Runs workflow code, without a limit on its time, and sends in the calling thread. A start then
   * takes a tenth of the processor time. Default: in threads of their own.
   */
  readonly isSingleThreaded?: boolean;
  /** Called before the first delivery is claimed. */
  readonly onCreated?: () => void;
};
