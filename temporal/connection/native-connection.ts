import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../../process/config.ts';
import { workerOptions } from './connection-options.ts';

/** Opens the worker's connection, which the relay shares. */
export const nativeConnection = (config: Config): Promise<NativeConnection> =>
  NativeConnection.connect(workerOptions(config));
