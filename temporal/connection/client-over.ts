import { Client, type ConnectionLike } from '@temporalio/client';
import type { Config } from '../../process/config.ts';
import { traceCalls } from '../trace-calls.ts';

/** Creates a client over a connection. All clients come from here, so that each sends traces. */
export const clientOver = (
  connection: ConnectionLike,
  config: Pick<Config, 'TEMPORAL_NAMESPACE'>,
): Client =>
  new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    interceptors: { workflow: [traceCalls] },
  });
