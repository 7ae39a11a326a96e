import { v7 as uuidv7 } from 'uuid';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { newSecret, sha256 } from '../../security/secrets.ts';
import type { Queryable } from '../../db/core/client.ts';
import { insertAuditEntries, type Actor, type AuditEntry } from '../../db/accounts/audit.ts';
import {
  changeOperator,
  insertOperator,
  lockActiveAdmins,
  lockOperator,
  type Operator,
} from '../../db/accounts/operators.ts';

// What the Admin routes and `npm run operator` do, each in the caller's transaction and with an
// audit entry, which never has a secret.

/** Who makes a change, for its audit entry. */
export type Change = { readonly actor: Actor; readonly requestId: string };
/** An operator with its secret, which nothing shows again. */
export type OperatorWithSecret = Operator & { readonly operatorSecret: string };

const record = (
  sql: Queryable,
  change: Change,
  action: string,
  subjectId: string,
  states: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> =>
  insertAuditEntries(sql, {
    ...change,
    ...states,
    action: `operator.${action}`,
    subjectType: 'operator',
    subjectId,
  });

/** Creates an active operator; null when another one has the name. */
export async function createOperator(
  sql: Queryable,
  change: Change,
  given: Pick<Operator, 'operatorId' | 'roles'>,
): Promise<OperatorWithSecret | null> {
  const operatorSecret = newSecret('os');
  const secretSha256 = sha256(operatorSecret);
  const operator = await insertOperator(sql, { ...given, id: uuidv7(), secretSha256 });
  if (operator === null) return null;
  const { operatorId, roles } = operator;
  await record(sql, change, 'create', operator.id, {
    before: null,
    after: { operatorId, roles: [...roles], isActive: true },
  });
  return { ...operator, operatorSecret };
}

/**
 * Locks an operator. A caller that a concurrent command has deactivated gets the 401 of its next
 * call. So one Admin remains when two deactivate each other.
 */
async function lockFor(
  sql: Queryable,
  { actor }: Change,
  id: string,
): Promise<Result<{ readonly admins: readonly string[]; readonly operator: Operator }>> {
  const admins = await lockActiveAdmins(sql);
  if (actor.operatorId !== null && !admins.includes(actor.operatorId))
    return fail('UNAUTHORIZED_INVALID_TOKEN');
  const operator = await lockOperator(sql, id);
  return operator === null ? fail('NOT_FOUND_OPERATOR') : ok({ admins, operator });
}

/** Replaces the secret. Every token of the operator is refused from then on. */
export async function rotateOperatorSecret(
  sql: Queryable,
  change: Change,
  id: string,
): Promise<Result<OperatorWithSecret>> {
  const locked = await lockFor(sql, change, id);
  if (!locked.ok) return locked;
  const operatorSecret = newSecret('os');
  await changeOperator(sql, id, { secretSha256: sha256(operatorSecret) });
  await record(sql, change, 'rotate-secret', id, { before: null, after: { secret: 'rotated' } });
  return ok({ ...locked.value.operator, operatorSecret });
}

/** Switches an operator on or off. The last active Admin stays on: no operator could undo it. */
export async function switchOperator(
  sql: Queryable,
  change: Change,
  { id, isActive }: { readonly id: string; readonly isActive: boolean },
): Promise<Result<Operator>> {
  const locked = await lockFor(sql, change, id);
  if (!locked.ok) return locked;
  const { admins, operator } = locked.value;
  if (operator.isActive === isActive) return ok(operator);
  if (!isActive && admins.length === 1 && admins.includes(id))
    return fail('BUSINESS_OPERATOR_LAST_ADMIN');
  await changeOperator(sql, id, { isActive });
  await record(sql, change, 'active', id, {
    before: { isActive: operator.isActive },
    after: { isActive },
  });
  return ok({ ...operator, isActive });
}
