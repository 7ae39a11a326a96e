import Fastify from 'fastify';
import { connect } from '../../../db/core/client.ts';
import { serveParent } from '../fork-program.ts';

/**
 * The least that an intake can do: a bare Fastify handler that stores an event by one statement,
 * which notifies the sender.
 */
const sql = connect(process.env['DATABASE_URL'] ?? '', { max: 10, name: 'floor intake' });
const app = Fastify();
app.post('/events', async ({ body }, reply) => {
  const text = JSON.stringify(body);
  await sql`
    with stored as (insert into floor_events (body) values (${text}) returning id)
    select pg_notify('floor_events', '') from stored`;
  reply.code(201);
  return body;
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(url, () => app.close().then(() => sql.end({ timeout: 5 })));
