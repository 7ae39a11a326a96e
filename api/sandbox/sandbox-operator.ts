import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { findOperator, insertOperator } from '../../db/accounts/operators.ts';
import type { Queryable } from '../../db/core/client.ts';
import { newSecret, sha256 } from '../../security/secrets.ts';
import type { ActingOperator } from '../auth/authenticate.ts';

const operatorId = 'sandbox';

/** The operator `sandbox`. Its first call creates it, with a secret that nothing keeps. */
async function readOperator(sql: Queryable): Promise<ActingOperator> {
  const found =
    (await findOperator(sql, operatorId)) ??
    (await insertOperator(sql, {
      id: uuidv7(),
      operatorId,
      secretSha256: sha256(newSecret('os')),
      // Not Admin: the last Admin is to be a person.
      roles: ['Reviewer', 'Operations'],
    }));
  // Another call has created it meanwhile.
  return found ?? readOperator(sql);
}

/** Makes the operator `sandbox` the actor of each call of `scope`. */
export function actAsSandbox(scope: FastifyInstance, sql: Queryable): void {
  let operator: ActingOperator | null = null;
  scope.addHook('preHandler', async (request) => {
    operator ??= await readOperator(sql);
    request.actingOperator = operator;
  });
}
