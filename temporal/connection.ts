import { Client, Connection } from '@temporalio/client';
import { connectionOptions } from './options.ts';
import type { Config } from '../config.ts';

/** The API's client. It connects on first use, so that the API starts and serves vendors while Temporal is away. */
export function lazyClient(config: Config): Client {
  const connection = Connection.lazy(connectionOptions(config));
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}
