import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, onTestFinished, vi } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { databaseFailureCode } from '../../../db/core/failure.ts';
import { parts, statementOf } from '../../../db/core/statements/statement-parts.ts';
import { tcpServer } from '../../api/error-codes/dependencies.ts';
import { startCutProxy } from '../../support/cut-proxy.ts';
import { deferred } from '../support.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { databaseTest } from '../../support/database/database-test.ts';

/**
 * What postgres.js does when it loses a connection or has many statements under way, with the
 * patches of `patches/README.md`.
 */

const waiting = { timeout: 20_000, interval: 20 };

/** Until the pool serves statements again. */
const untilAnswered = (sql: Sql): Promise<void> =>
  vi.waitFor(async () => expect(await sql`select 1 as one`).toEqual([{ one: 1 }]), waiting);

const test = databaseTest
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 4, name: 'victim' });
    onCleanup(() => sql.end({ timeout: 1 }));
    return sql;
  })
  .extend('admin', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const admin = connect(database.url, { max: 1, name: 'killer' });
    onCleanup(() => admin.end({ timeout: 5 }));
    return admin;
  });

const killAll = (admin: Sql) => admin`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'victim'`;

/** A pool of one connection, so that what comes next is on the connection that was lost. */
function single(
  url: string,
  { port, ...limits }: { readonly port?: string; readonly statementTimeoutMs?: number } = {},
): Sql {
  const target = new URL(url);
  target.port = port ?? target.port;
  const sql = connect(target.href, { max: 1, name: 'single', ...limits });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

test('connects again if a write is buffered when the connection closes', async ({ database }) => {
  const proxy = await startCutProxy(Number(new URL(database.url).port));
  onTestFinished(proxy.close);
  const sql = single(database.url, { port: String(proxy.port) });
  for (let round = 0; round < 5; round += 1) {
    await sql`select 1`;
    proxy.cutAll();
    await sql`select 1`.catch(() => undefined);
    // The event loop closes the socket directly after this callback, before the buffer is written.
    await setImmediate();
    await sql`select 1`.catch(() => undefined);
    await untilAnswered(sql);
  }
});

/** A statement may last so long; without a response, its connection closes five seconds later. */
const statementTimeoutMs = 500;

test('closes a connection whose server is lost without a word', async ({ database }) => {
  const proxy = await startCutProxy(Number(new URL(database.url).port));
  onTestFinished(proxy.close);
  const sql = single(database.url, { port: String(proxy.port), statementTimeoutMs });
  await sql`select 1`;
  // As a lost machine: it resets no connection.
  proxy.holdAll();
  const lost = await sql`select 1`.catch((error: unknown) => error);
  expect(databaseFailureCode(lost)).toBe('SERVICE_UNAVAILABLE');
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('keeps a connection that is idle, and one whose process was frozen', async ({ database }) => {
  const sql = single(database.url, { statementTimeoutMs });
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const under = sql`select pg_sleep(0.2), pg_backend_pid() as pid`.execute();
  // The statement is sent.
  await delay(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, statementTimeoutMs + 5_500);
  expect(await under).toMatchObject([{ pid }]);
  await delay(statementTimeoutMs + 5_500);
  expect(await sql`select pg_backend_pid() as pid`).toEqual([{ pid }]);
});

test('keeps the connection of a transaction to itself when its buffer is written', async ({
  database,
}) => {
  const { hostname, port } = new URL(database.url);
  const socket = connectSocket(Number(port), hostname);
  await once(socket, 'connect');
  // An option that the types of the driver lack.
  const ownSocket: object = { socket: () => socket };
  const sql = postgres(database.url, { max: 1, ...ownSocket });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const name = () => sql<[{ name: string }]>`select current_setting('application_name') as name`;
  const others: Promise<readonly { readonly name: string }[]>[] = [];
  await sql.begin(async (transaction) => {
    await transaction`select set_config('application_name', 'in transaction', true)`;
    // As after a large statement whose result arrives before the event of its written buffer.
    socket.emit('drain');
    others.push(name().execute());
    await transaction`select 1`;
  });
  expect(await others[0]).toEqual([{ name: 'postgres.js' }]);
});

test('reserves a connection for the transaction that fills its pipeline', async ({ database }) => {
  const sql = connect(database.url, { max: 2, name: 'full' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  // At most 100 statements wait on a connection, and one is under way.
  for (let waitingCount = 2 * 98; waitingCount <= 2 * 101; waitingCount += 1) {
    const statements = Array.from({ length: waitingCount }, () => sql`select 1`.execute());
    const lines = await sql.begin(async (transaction) => {
      await transaction`select set_config('application_name', 'in transaction', true)`;
      const others = Array.from(
        { length: 4 },
        () => sql<[{ name: string }]>`select current_setting('application_name') as name`,
      );
      return Promise.all(others);
    });
    expect(lines.flat().map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => 'full'));
    await Promise.all(statements);
  }
});

test('runs nothing of a lost transaction on a later connection', async ({ database, admin }) => {
  const sql = single(database.url);
  const begun = deferred<void>();
  const late = deferred<unknown>();
  const lost = sql.begin(async (transaction) => {
    const [{ pid }] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`;
    await admin`select pg_terminate_backend(${pid})`;
    await begun.promise;
    late.resolve(await transaction`select 2`.catch((error: unknown) => error));
  });
  expect(databaseFailureCode(await lost.catch((error: unknown) => error))).toBe(
    'SERVICE_UNAVAILABLE',
  );
  await sql.begin(async (transaction) => {
    await transaction`select 1`;
    begun.resolve();
    expect(databaseFailureCode(await late.promise)).toBe('SERVICE_UNAVAILABLE');
  });
});

test('connects again when the connection closes while it reads the types', async ({ database }) => {
  const port = Number(new URL(database.url).port);
  let lostCount = 0;
  const proxy = await tcpServer((socket) => {
    const target = connectSocket(port, '127.0.0.1');
    target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
    socket.on('data', (bytes) => {
      if (lostCount === 0 && bytes.includes('typarray')) {
        lostCount += 1;
        socket.destroy();
      } else target.write(bytes);
    });
    target.pipe(socket);
  });
  const sql = single(database.url, { port: String(proxy.port) });
  await untilAnswered(sql);
  expect(lostCount).toBe(1);
});

test('rejects a transaction whose connection is lost', async ({ sql, admin }) => {
  for (let round = 0; round < 20; round += 1) {
    const lost = await sql
      .begin(async (transaction) => {
        await transaction`select 1`;
        await killAll(admin);
        await transaction`select 2`;
      })
      .catch((error: unknown) => error);
    expect(databaseFailureCode(lost)).toBe('SERVICE_UNAVAILABLE');
    await untilAnswered(sql);
  }
});

test('fails statements under way as an outage', async ({ sql, admin }) => {
  for (let round = 0; round < 5; round += 1) {
    const running = Array.from({ length: 20 }, () =>
      sql
        .begin((transaction) => transaction`select pg_sleep(0.2)`)
        .catch((error: unknown) => error),
    );
    await vi.waitFor(async () => {
      const [row] = await admin<[{ count: number }]>`
        select count(*)::int as count from pg_stat_activity
        where application_name = 'victim' and query like '%pg_sleep%' and state = 'active'`;
      expect(row.count).toBeGreaterThan(0);
    }, waiting);
    await killAll(admin);
    for (const result of await Promise.all(running)) {
      if (result instanceof Error) expect(databaseFailureCode(result)).toBe('SERVICE_UNAVAILABLE');
    }
    await untilAnswered(sql);
  }
});

test('settles all work beside failing connections', async ({ sql, admin }) => {
  const over = new AbortController();
  const killer = (async () => {
    while (!over.signal.aborted) {
      await killAll(admin);
      await sql`select pg_sleep(0.05)`.catch(() => undefined);
    }
  })();
  const settled = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) =>
      index % 3 === 0
        ? sql`select pg_sleep(0.005)`
        : sql.begin(async (transaction) => {
            await transaction`select ${'x'.repeat(index % 5 === 0 ? 5000 : 10)}`;
            await Promise.all([transaction`select pg_sleep(0.005)`, transaction`select 2`]);
          }),
    ),
  );
  over.abort();
  await killer;
  for (const result of settled) {
    if (result.status === 'rejected')
      expect(databaseFailureCode(result.reason)).toBe('SERVICE_UNAVAILABLE');
  }
  await untilAnswered(sql);
});

test('keeps no text of a list whose statement has failed', async ({ sql }) => {
  const fail = async (): Promise<WeakRef<object>> => {
    const failing = statementOf(sql, parts`select nothing`);
    expect(await failing.catch((error: unknown) => error)).toMatchObject({ code: '42703' });
    // The types lack it.
    return new WeakRef((failing as unknown as { readonly strings: object }).strings);
  };
  const texts = await Promise.all(Array.from({ length: 8 }, fail));
  await vi.waitFor(async () => {
    await setImmediate();
    collectGarbage();
    expect(texts.filter((text) => text.deref() !== undefined)).toEqual([]);
  }, waiting);
});
