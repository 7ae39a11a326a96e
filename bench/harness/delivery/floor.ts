import { join } from 'node:path';
import { connect } from '../../../db/core/client.ts';
import type { Child } from '../../../embedded/processes/child-process.ts';
import { startGatewayProcess } from '../../../embedded/processes/gateway-process.ts';
import { createWorkspace, durable, startTestPostgres } from '../../../test/support/servers.ts';
import type { Contender } from './contender.ts';
import { sampleBody } from './sample-event.ts';

/** What Node and Postgres can do: a bare intake, a table of events, and a bare sender. */
export async function startFloorContender(receiverOrigin: string): Promise<Contender> {
  const { folder, guard } = await createWorkspace();
  const postgres = await startTestPostgres({ folder, guard }, durable);
  const sql = connect(postgres.url, { max: 1, name: 'bench floor' });
  await sql`
    create table floor_events (
      id uuid primary key default uuidv7(),
      body text not null,
      claimed_at timestamptz,
      delivered_at timestamptz
    )`;
  await sql`create index floor_events_unclaimed on floor_events (id) where claimed_at is null`;
  const start = (name: string): Promise<Child & { readonly url: string }> =>
    startGatewayProcess({
      name: `floor ${name}`,
      file: `bench/harness/delivery/floor-${name}-process.ts`,
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: postgres.url,
        RECEIVER_ORIGIN: receiverOrigin,
      },
      logFile: join(folder, `${name}.log`),
      guard,
    });
  const intake = await start('intake');
  let sender = await start('sender');
  return {
    name: 'floor',
    processes: () => ({ intake: intake.pid, sender: sender.pid, Postgres: postgres.pid }),
    target: () => ({
      origin: intake.url,
      path: '/events',
      headers: { 'content-type': 'application/json' },
      bodies: [sampleBody()],
    }),
    sql,
    recorded: async () => {
      const [row] = await sql<[{ total: number }]>`
        select count(*)::int as total from floor_events where delivered_at is not null`;
      return row.total;
    },
    sender: {
      start: async () => {
        sender = await start('sender');
      },
      stop: () => sender.stop(),
    },
    stop: async () => {
      await sql.end({ timeout: 5 });
      await guard.release();
    },
  };
}
