import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import getPort from 'get-port';
import { startChild, waitUntilReady, type Child } from '../../embedded/processes/child-process.ts';
import type { Workspace } from '../../test/support/servers.ts';
import type { PeerPrograms } from './programs.ts';

type Server = Child & { readonly port: number };

const host = '127.0.0.1';
const freePort = (): Promise<number> => getPort({ host });

/** Whether a server on loopback sends `expected` in its response to `request`. */
const answers = (port: number, request: string, expected: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 1000 });
    const end = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('connect', () => socket.write(request));
    socket.once('data', (data) => end(data.toString('latin1').includes(expected)));
    socket.once('error', () => end(false)).once('timeout', () => end(false));
  });

/** Starts Redis on loopback with its default settings and a folder of its own. */
export async function startRedis(
  { folder, guard }: Workspace,
  programs: PeerPrograms,
): Promise<Server> {
  const port = await freePort();
  const child = await startChild({
    name: 'Redis',
    command: programs.redis,
    args: ['--bind', host, '--port', String(port), '--dir', folder],
    env: { PATH: process.env['PATH'] },
    logFile: join(folder, 'redis.log'),
    guard,
    signal: 'SIGTERM',
    stage: 'server',
  });
  await waitUntilReady(child, () => answers(port, 'PING\r\n', 'PONG'));
  return { ...child, port };
}

/**
 * Starts RabbitMQ on loopback with its default settings, folders of its own, and its port mapper,
 * which would otherwise outlive it as a daemon.
 */
export async function startRabbitmq(
  { folder, guard }: Workspace,
  programs: PeerPrograms,
): Promise<Server> {
  const [port, nodesPort, mapperPort] = [await freePort(), await freePort(), await freePort()];
  const home = join(folder, 'rabbitmq');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'enabled_plugins'), '[].\n');
  const common = { guard, signal: 'SIGTERM', stage: 'server' } as const;
  const mapper = await startChild({
    ...common,
    name: 'epmd',
    command: programs.epmd,
    args: ['-address', host, '-port', String(mapperPort)],
    env: { PATH: process.env['PATH'] },
    logFile: join(folder, 'epmd.log'),
  });
  const child = await startChild({
    ...common,
    name: 'RabbitMQ',
    command: programs.rabbitmq,
    args: [],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ERL_EPMD_ADDRESS: host,
      ERL_EPMD_PORT: String(mapperPort),
      RABBITMQ_NODENAME: 'bench@localhost',
      RABBITMQ_NODE_IP_ADDRESS: host,
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(nodesPort),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
      RABBITMQ_CONF_ENV_FILE: join(home, 'none'),
      RABBITMQ_CONFIG_FILE: join(home, 'none'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
      RABBITMQ_MNESIA_BASE: join(home, 'data'),
      RABBITMQ_LOG_BASE: join(home, 'log'),
    },
    logFile: join(folder, 'rabbitmq.log'),
  });
  await waitUntilReady(child, () => answers(port, 'AMQP\0\0\u0009\u0001', 'RabbitMQ'));
  return {
    ...child,
    port,
    stop: async () => {
      await child.stop();
      await mapper.stop();
    },
  };
}
