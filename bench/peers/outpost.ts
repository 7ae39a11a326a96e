import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { request } from 'undici';
import { connect } from '../../db/core/client.ts';
import { startChild, waitUntilReady } from '../../embedded/processes/child-process.ts';
import {
  createWorkspace,
  durable,
  startTestPostgres,
  type Workspace,
} from '../../test/support/servers.ts';
import type { Contender } from '../harness/delivery/contender.ts';
import { sampleBody } from '../harness/delivery/sample-event.ts';
import { startRabbitmq, startRedis } from './brokers.ts';
import { findOutpost } from './outpost-binaries.ts';
import { findPeerPrograms, type PeerPrograms } from './programs.ts';

/** As many as the gateway's benchmark has vendors. */
const tenants = Array.from({ length: 50 }, (_, index) => `tenant-${index}`);
const topic = 'vendor.order.assigned';

type PeerOptions = {
  readonly receiverOrigin: string;
  readonly say: (text: string) => void;
};
type Servers = Awaited<ReturnType<typeof startServers>>;
type Api = Awaited<ReturnType<typeof startApi>>;

/**
 * Hookdeck Outpost with RabbitMQ, Redis and a Postgres of its own, all on this machine. Returns
 * null, and says why, where a program that it needs is not installed or does not start.
 */
export async function startOutpostContender(options: PeerOptions): Promise<Contender | null> {
  const found = findPeerPrograms();
  if ('missing' in found) {
    options.say(`Outpost is skipped: ${found.missing.join(', ')} not installed`);
    return null;
  }
  const home = await createWorkspace();
  try {
    return await start(home, found.programs, options);
  } catch (error) {
    options.say(`Outpost is skipped: ${String(error).split('\n')[0] ?? ''}`);
    await home.guard.release();
    return null;
  }
}

async function start(
  home: Workspace,
  programs: PeerPrograms,
  { receiverOrigin, say }: PeerOptions,
): Promise<Contender> {
  const binaries = await findOutpost(say);
  const servers = await startServers(home, programs);
  const api = await startApi(home, binaries, servers);
  await addTenants(api, `${receiverOrigin}/hook`);
  return contenderOf(home, servers, api);
}

async function startServers(home: Workspace, programs: PeerPrograms) {
  const postgres = await startTestPostgres(home, durable);
  const redis = await startRedis(home, programs);
  return { postgres, redis, rabbitmq: await startRabbitmq(home, programs) };
}

/** Applies the migrations, then starts the process that accepts, sends and logs. */
async function startApi(
  { folder, guard }: Workspace,
  binaries: Awaited<ReturnType<typeof findOutpost>>,
  servers: Servers,
) {
  const port = await getPort({ host: '127.0.0.1' });
  const key = randomBytes(16).toString('hex');
  const env = environment(servers, port, key);
  const migration = { env, cwd: folder };
  await promisify(execFile)(binaries.migrate, ['migrate', 'apply', '--yes'], migration);
  const server = await startChild({
    name: 'Outpost',
    command: binaries.server,
    args: [],
    env,
    logFile: join(folder, 'outpost.log'),
    guard,
    signal: 'SIGTERM',
    stage: 'app',
  });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> => {
    const { statusCode, body } = await request(`${origin}/healthz`);
    await body.dump();
    return statusCode === 200;
  };
  await waitUntilReady(server, () => isReady().catch(() => false));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { pid: server.pid, origin, headers };
}

/**
 * Signatures as the gateway's (Standard Webhooks), the concurrency of Outpost's own load test, and
 * a log of attempts that is at most a second late. Nothing leaves the machine.
 */
const environment = (
  { postgres, redis, rabbitmq }: Servers,
  port: number,
  key: string,
): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  API_PORT: String(port),
  API_KEY: key,
  API_JWT_SECRET: randomBytes(16).toString('hex'),
  AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
  TOPICS: topic,
  REDIS_HOST: '127.0.0.1',
  REDIS_PORT: String(redis.port),
  RABBITMQ_SERVER_URL: `amqp://guest:guest@127.0.0.1:${rabbitmq.port}`,
  POSTGRES_URL: `${postgres.url}?sslmode=disable`,
  DESTINATIONS_WEBHOOK_MODE: 'standard',
  PUBLISH_MAX_CONCURRENCY: '100',
  DELIVERY_MAX_CONCURRENCY: '100',
  LOG_MAX_CONCURRENCY: '100',
  LOG_BATCH_THRESHOLD_SECONDS: '1',
  LOG_LEVEL: 'warn',
  DISABLE_TELEMETRY: 'true',
});

/** Each tenant has one destination: the receiver. */
async function addTenants({ origin, headers }: Api, url: string): Promise<void> {
  const call = async (method: 'PUT' | 'POST', path: string, body: object): Promise<void> => {
    const options = { method, headers, body: JSON.stringify(body) };
    const response = await request(`${origin}/api/v1/tenants/${path}`, options);
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
  };
  for (const tenant of tenants) {
    await call('PUT', tenant, {});
    const destination = { type: 'webhook', topics: [topic], config: { url } };
    await call('POST', `${tenant}/destinations`, destination);
  }
}

function contenderOf(home: Workspace, { postgres, redis, rabbitmq }: Servers, api: Api): Contender {
  const { origin, headers, pid } = api;
  const sql = connect(postgres.url, { max: 1, name: 'bench outpost' });
  const bodies = tenants.map(
    (tenant) => `{"tenant_id":"${tenant}","topic":"${topic}","data":${sampleBody()}}`,
  );
  return {
    name: 'Outpost',
    processes: () => ({
      Outpost: pid,
      RabbitMQ: rabbitmq.pid,
      Redis: redis.pid,
      Postgres: postgres.pid,
    }),
    target: () => ({ origin, path: '/api/v1/publish', headers, bodies }),
    sql,
    recorded: async () => {
      const [row] = await sql<[{ total: number }]>`
        select count(*)::int as total from attempts where status = 'success'`;
      return row.total;
    },
    // The same process accepts requests and sends.
    sender: null,
    stop: async () => {
      await sql.end({ timeout: 5 });
      await home.guard.release();
    },
  };
}
