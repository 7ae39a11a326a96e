import type { Queryable } from '../core/client.ts';
import { deleteOld } from '../core/delete-old.ts';
import { firstOf } from '../core/rows.ts';
import { operatorColumns, type Operator } from './operators.ts';

/** How long a session lasts, and how long it lasts without a request. */
const lifetime = '8 hours';
const idleTime = '30 minutes';

/** Stores a session of an operator's present generation of tokens. */
export async function insertSession(
  sql: Queryable,
  idSha256: Uint8Array,
  operator: Pick<Operator, 'id' | 'tokenGeneration'>,
): Promise<void> {
  await sql`
    insert into operator_sessions (id_sha256, operator_id, token_generation)
    values (${idSha256}, ${operator.id}, ${operator.tokenGeneration})`;
}

/** Joins a session that has not ended with its operator. */
const lasting = (sql: Queryable, idSha256: Uint8Array) => sql`
  session.id_sha256 = ${idSha256} and operators.id = session.operator_id
  and operators.is_active and operators.token_generation = session.token_generation
  and session.begun_at > clock_timestamp() - ${lifetime}::interval
  and session.used_at > clock_timestamp() - ${idleTime}::interval`;

/** The id of the operator of a session, also of one that has ended and is not deleted. */
export async function findOperatorId(sql: Queryable, idSha256: Uint8Array): Promise<string | null> {
  const [session] = await sql<{ operatorId: string }[]>`
    select operator_id from operator_sessions where id_sha256 = ${idSha256}`;
  return session?.operatorId ?? null;
}

/** The operator of a session; null once the session has ended. */
export const readSession = (sql: Queryable, idSha256: Uint8Array): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operator_sessions as session, operators
    where ${lasting(sql, idSha256)}`);

/** The operator of a session, which begins to be idle again; null once the session has ended. */
export const resumeSession = (sql: Queryable, idSha256: Uint8Array): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    update operator_sessions as session set used_at = clock_timestamp()
    from operators where ${lasting(sql, idSha256)}
    returning ${operatorColumns.list(sql)}`);

export async function deleteSession(sql: Queryable, idSha256: Uint8Array): Promise<void> {
  await sql`delete from operator_sessions where id_sha256 = ${idSha256}`;
}

/** Ends every session of an operator. */
export async function deleteSessionsOf(sql: Queryable, operatorId: string): Promise<void> {
  await sql`delete from operator_sessions where operator_id = ${operatorId}`;
}

/** Deletes the sessions that have lasted their time. */
export const pruneSessions = (sql: Queryable): Promise<void> =>
  deleteOld(sql, { table: 'operator_sessions', instant: 'begun_at', age: lifetime });
