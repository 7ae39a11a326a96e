import { Connection, type Client } from '@temporalio/client';
import { clientOver } from './client-over.ts';
import { connectionOptions } from './connection-options.ts';
import type { Config } from '../config.ts';

/** Short, because a caller waits for the first connection. */
const connectTimeoutMs = 2000;

/** Creates the API's client. It connects on first use, so that the API starts without Temporal. */
export function lazyClient(config: Config): Client {
  const connection = Connection.lazy({
    ...connectionOptions(config),
    connectTimeout: connectTimeoutMs,
  });
  return clientOver(connection, config);
}
