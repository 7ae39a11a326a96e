import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../config.ts';
import { dataConverterOf } from '../codec/payload-codec.ts';
import { connectionOptions } from './connection-options.ts';

/** Opens the worker's connection, which the relay shares for eager starts. */
export const nativeConnection = (config: Config): Promise<NativeConnection> =>
  NativeConnection.connect(connectionOptions(config));

/** Creates a client over the worker's connection. */
export const clientOver = (connection: NativeConnection, config: Config): Client =>
  new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: dataConverterOf(config),
  });
