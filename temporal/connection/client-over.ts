import { Client, type ConnectionLike } from '@temporalio/client';
import { dataConverterOf } from '../../codec/payload-codec.ts';
import type { Config } from '../../process/config.ts';
import { traceCalls } from '../trace-calls.ts';

type ClientConfig = Pick<Config, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_PAYLOAD_KEY'>;

/**
 * Creates a client over a connection. All clients come from here, so that each has the payload
 * codec and sends traces.
 */
export const clientOver = (connection: ConnectionLike, config: ClientConfig): Client =>
  new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: dataConverterOf(config),
    interceptors: { workflow: [traceCalls] },
  });
