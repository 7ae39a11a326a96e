import { Connection, type Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { clientOver } from './client-over.ts';
import { clientOptions } from './connection-options.ts';
import type { Config } from '../../process/config.ts';

/** Short, because a caller waits for the first connection. */
const connectTimeoutMs = 2000;

/**
 * A Temporal server that restarts may have another address. By default the client looks up its name
 * at most every 30 seconds, and calls fail meanwhile.
 */
const lookUpIntervalMs = 1000;

/** Creates the API's client. It connects on first use, so that the API starts without Temporal. */
export function lazyClient(config: Config): Client {
  const options = clientOptions(config);
  const connection = Connection.lazy({
    ...options,
    connectTimeout: connectTimeoutMs,
    channelArgs: {
      ...options.channelArgs,
      'grpc.dns_min_time_between_resolutions_ms': lookUpIntervalMs,
    },
  });
  // The first message of a process prepares all types of messages, which blocks for some 20 ms.
  proto.temporal.api.common.v1.Payload.encode({});
  return clientOver(connection, config);
}
