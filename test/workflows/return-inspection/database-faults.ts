import { connect } from '../../../db/core/client.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

/** Cuts every connection to the gateway's database but the one that does it. */
export async function cutConnections(gateway: TestGateway): Promise<void> {
  const owner = connect(gateway.ownerUrl, { max: 1, name: 'owner' });
  await owner`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await owner.end();
}

export async function workersConnections(gateway: TestGateway): Promise<number> {
  const [row] = await gateway.sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'vendor-gateway%'`;
  return row.count;
}

/**
 * Sets the clock of the gateway's database so far behind this machine's, for connections that are
 * yet to be made.
 */
export async function setClockBack(gateway: TestGateway, ms: number): Promise<void> {
  await moveClock(gateway, ms);
  await gateway.sql.unsafe(`
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`);
  await cutConnections(gateway);
}

/** Changes how far the clock that setClockBack has set is behind, for every connection. */
export async function moveClock(gateway: TestGateway, ms: number): Promise<void> {
  await gateway.sql.unsafe(`
    create or replace function public.clock_timestamp() returns timestamptz
    language sql volatile as $$
      select pg_catalog.clock_timestamp() - interval '${ms} milliseconds'
    $$`);
}
