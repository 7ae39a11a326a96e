import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import {
  createOperator,
  rotateOperatorSecret,
  switchOperator,
  type Change,
} from './operator-changes.ts';
import { listOperators } from '../../db/accounts/operators.ts';
import { operatorRoles } from '../../domain/accounts/operator-roles.ts';
import { fieldError } from '../../domain/errors.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { unwrap, validationErrors } from '../http/api-error.ts';
import { pageOf } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { activeBody, filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { noteChange } from '../security/report.ts';
import { actorOf } from './audit.ts';
import { operatorResponse, operatorWithSecretResponse, roleText } from './responses/operator.ts';

const notFound = 'NOT_FOUND_OPERATOR';
const taken = fieldError(
  'operatorId',
  'taken',
  'is, or looks like, the login name of another operator',
);
const createBody = v.strictObject({
  operatorId: described(
    filledText(255, 'name'),
    'The name that the operator logs in with. It cannot be changed. No other operator may have a ' +
      'name that looks the same: letter case, width, kinds of blanks and what cannot be seen make ' +
      'no difference.',
    sample.operatorId,
  ),
  role: described(v.picklist(operatorRoles), roleText, 'Reviewer'),
});

const changeOf = (request: FastifyRequest): Change => ({
  actor: actorOf(request),
  requestId: request.id,
});

/** Operators: list, create, give a new secret, switch on or off. */
export const operatorAccountRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: operators' });
  route({
    at: 'GET /operator/v1/operators',
    operationId: 'listOperators',
    summary: 'List operators',
    description:
      'Lists all operators, newest first, inactive ones included. It never shows a secret.',
    payload: pageOf(operatorResponse),
    handler: ({ page }) => listOperators(lists, page),
  });
  route({
    at: 'POST /operator/v1/operators',
    operationId: 'createOperator',
    summary: 'Add an operator',
    description:
      'Adds an active operator with one role. The response contains `operatorSecret` **this ' +
      'one time**. An operator is never deleted, because the audit log refers to it: ' +
      'deactivate it.',
    body: createBody,
    payload: operatorWithSecretResponse,
    statuses: [201],
    handler: async ({ body: { operatorId, role }, request, sql: commands }) => {
      const given = { operatorId, roles: [role] };
      const created = await commands.begin((transaction) =>
        createOperator(transaction, changeOf(request), given),
      );
      if (created === null) throw validationErrors(taken);
      noteChange(request, 'operator.create', created.id);
      return created;
    },
  });
  route({
    at: 'POST /operator/v1/operators/:id/rotate-secret',
    operationId: 'rotateOperatorSecret',
    summary: 'Replace the secret of an operator',
    description:
      'Generates a new secret and returns it **this one time**. The previous secret and every ' +
      'token of the operator are refused at once, your own included if you rotate your own ' +
      'secret. An inactive operator stays inactive. The call takes no body.',
    payload: operatorWithSecretResponse,
    notFound,
    makesSecret: true,
    handler: async ({ id, request, sql: commands }) => {
      const rotated = unwrap(
        await commands.begin((transaction) =>
          rotateOperatorSecret(transaction, changeOf(request), id),
        ),
      );
      noteChange(request, 'operator.rotate-secret', id);
      return rotated;
    },
  });
  route({
    at: 'PATCH /operator/v1/operators/:id/active',
    operationId: 'setOperatorActive',
    summary: 'Switch an operator on or off',
    description:
      'Deactivates an operator or activates it again. Every token of a deactivated operator is ' +
      'refused at once and stays refused: after an activation the operator logs in again. The ' +
      'last active Admin cannot be deactivated. Sending the present state changes nothing.',
    body: activeBody,
    payload: operatorResponse,
    notFound,
    refusals: ['BUSINESS_OPERATOR_LAST_ADMIN'],
    handler: async ({ id, body: { isActive }, request }) => {
      const switched = unwrap(
        await sql.begin((transaction) =>
          switchOperator(transaction, changeOf(request), { id, isActive }),
        ),
      );
      noteChange(request, 'operator.active', id);
      return switched;
    },
  });
};
