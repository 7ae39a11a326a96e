import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Queryable } from '../core/client.ts';

export type Operator = {
  readonly id: string;
  /** The name the operator logs in with. */
  readonly operatorId: string;
  readonly secretSha256: Uint8Array;
  readonly roles: readonly OperatorRole[];
  readonly isActive: boolean;
};

export async function findOperator(sql: Queryable, operatorId: string): Promise<Operator | null> {
  const [row] = await sql<Operator[]>`
    select id, operator_id, secret_sha256, roles, is_active from operators where operator_id = ${operatorId}`;
  return row ?? null;
}

/** Makes the operator, or gives the one of that name this secret and these roles. */
export async function upsertOperator(
  sql: Queryable,
  operator: Omit<Operator, 'isActive'>,
): Promise<void> {
  const { id, operatorId, secretSha256, roles } = operator;
  await sql`
    insert into operators (id, operator_id, secret_sha256, roles)
    values (${id}, ${operatorId}, ${Buffer.from(secretSha256)}, ${[...roles]})
    on conflict (operator_id) do update
      set secret_sha256 = excluded.secret_sha256, roles = excluded.roles, is_active = true`;
}
