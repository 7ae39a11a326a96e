import * as v from 'valibot';
import { inTransaction } from '../../db/core/transaction.ts';
import { lockGroup } from '../../db/orders/fulfilment-groups.ts';
import { findOwnReturn } from '../../db/returns/return-requests.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import { inspectionOutcomes, returnReasons } from '../../domain/returns/return-status.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { FastifyRequest } from 'fastify';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { lineIdText, quantityText } from '../orders/order-texts.ts';
import { decideReturn } from '../returns/decide-return.ts';
import { moveReturn } from '../returns/operator-return-moves.ts';
import { createReturn } from '../returns/operator-returns.ts';
import { outcomesText, reasonCodeText } from '../returns/return-texts.ts';
import { returnRequest, returnRequestResponse } from '../returns/responses/return-request.ts';
import { described } from '../validation/described.ts';
import { boundedList, optionalField, uuid, wholeNumber } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';
const line = v.strictObject({
  lineId: described(uuid, ...lineIdText),
  quantity: described(wholeNumber(1, 1_000_000), ...quantityText),
});
const returnBody = v.strictObject({
  groupId: described(uuid, 'The shipment whose goods come back.', sample.groupId),
  lines: described(
    optionalField(boundedList(line, { min: 1, max: 80, what: 'lines' })),
    'What comes back, 1 to 80 lines. Without them: everything.',
  ),
  reasonCode: described(
    optionalField(v.picklist(returnReasons)),
    `${reasonCodeText[0]} Without it: \`Defective\`.`,
    'Defective',
  ),
  upTo: described(
    optionalField(v.picklist(['Pending', 'Approved', 'InTransit'])),
    'The status of the new return. Without it: `InTransit`, in which you can confirm receipt.',
    'InTransit',
  ),
});
/** The moves of staff that lead to a status of `upTo`. */
const movesTo = {
  Pending: [],
  Approved: ['approve'],
  InTransit: ['approve', 'inTransit'],
} as const;

const moves = [
  {
    path: 'approve',
    action: 'approve',
    operationId: 'sandboxApproveReturn',
    summary: 'Approve a return, as staff',
    description: 'Moves a return from `Pending` to `Approved`.',
  },
  {
    path: 'in-transit',
    action: 'inTransit',
    operationId: 'sandboxMarkReturnInTransit',
    summary: 'Send the goods of a return, as the customer',
    description: 'Moves a return from `Approved` to `InTransit`: you can confirm its receipt next.',
  },
  {
    path: 'refund-released',
    action: 'releaseRefund',
    operationId: 'sandboxReleaseRefund',
    summary: 'Release the refund of a return, as staff',
    description: 'Moves a return from `InspectionAccepted` to `RefundReleased`, which is final.',
  },
  {
    path: 'close',
    action: 'close',
    operationId: 'sandboxCloseReturn',
    summary: 'Close a return, as staff',
    description:
      'Moves a return from `Approved` or `InspectionRejected` to `Closed`, which is final.',
  },
] as const;

/** Customers' returns to the vendor, and the commands of staff on them. */
export const sandboxReturnRoutes: AddRoutes = (app, dependencies) => {
  const { sql, inspectionTimes } = dependencies;
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  route({
    at: 'POST /api/v1/sandbox/returns',
    operationId: 'sandboxCreateReturn',
    summary: 'Return a shipment, as a customer',
    description:
      'Creates a return of your shipment, which goes to you, and moves it up to the status ' +
      '`upTo`. Each call without an `Idempotency-Key` creates another return.',
    body: returnBody,
    payload: returnRequestResponse,
    statuses: [201],
    refusals: ['NOT_FOUND_FULFILMENT_GROUP', 'BUSINESS_RETURN_QUANTITY_EXCEEDED'],
    handler: ({ caller: { vendorId }, body, request, sql: commands }) =>
      inTransaction(commands, async (transaction) => {
        const locked = await lockGroup(transaction, body.groupId, { vendorId });
        const { group } = orNotFound(locked, 'NOT_FOUND_FULFILMENT_GROUP');
        const reasonCode = body.reasonCode ?? 'Defective';
        const lines = (body.lines ?? group.lines).map(({ lineId, quantity }) => ({
          lineId,
          quantity,
          reasonCode,
        }));
        const named = { orderGlobalId: orderGlobalId(group.orderId), groupId: group.id, lines };
        const given = { ...named, destination: 'Supplier', vendorId } as const;
        let made = await createReturn(transaction, request, given, inspectionTimes);
        for (const action of movesTo[body.upTo ?? 'InTransit']) {
          const move = { returnId: made.id, vendorId, action, reason: null };
          made = await moveReturn(transaction, request, move);
        }
        return returnRequest(made);
      }),
  });
  const responses = {
    payload: returnRequestResponse,
    notFound,
    refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
  } as const;
  for (const { path, action, ...documentation } of moves)
    route({
      at: `POST /api/v1/sandbox/returns/:id/${path}`,
      ...documentation,
      description: `${documentation.description} The call takes no body.`,
      ...responses,
      handler: async ({ caller: { vendorId }, id: returnId, request }) =>
        returnRequest(await moveReturn(sql, request, { returnId, vendorId, action, reason: null })),
    });
  const decide = async (
    request: FastifyRequest,
    { vendorId }: VendorCaller,
    id: string,
    command: ReturnCommand,
  ) => {
    orNotFound(await findOwnReturn(sql, vendorId, id), notFound);
    return returnRequest(await decideReturn(dependencies, request, id, command));
  };
  route({
    at: 'POST /api/v1/sandbox/returns/:id/start-inspection',
    operationId: 'sandboxStartInspection',
    summary: 'Start the inspection of a return, as staff',
    description:
      'Moves a return from `Received` to `UnderInspection` before its time. The inspection ' +
      'window begins now. The call takes no body.',
    ...responses,
    handler: ({ caller, id, request }) =>
      decide(request, caller, id, { action: 'startInspection', reason: null }),
  });
  route({
    at: 'POST /api/v1/sandbox/returns/:id/decide',
    operationId: 'sandboxDecideInspection',
    summary: 'Decide the outcome of an inspection, as staff',
    description:
      'Decides a return that is `UnderInspection`. `AcceptedDefect` and `AcceptedSound` lead ' +
      'to `InspectionAccepted`, `Rejected` to `InspectionRejected`.',
    body: v.strictObject({
      outcome: described(v.picklist(inspectionOutcomes), outcomesText, 'AcceptedSound'),
    }),
    ...responses,
    handler: ({ caller, id, body, request }) =>
      decide(request, caller, id, { action: 'decide', ...body, reason: null }),
  });
};
