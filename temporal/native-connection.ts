import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../config.ts';
import { connectionOptions } from './connection-options.ts';

/** The worker's connection, which its relay shares: an eager start needs both on one. Rejects when Temporal is away. */
export const nativeConnection = (config: Config): Promise<NativeConnection> =>
  NativeConnection.connect(connectionOptions(config));

/** A client over the worker's own connection. */
export const clientOver = (connection: NativeConnection, config: Config): Client =>
  new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
