import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Queryable } from '../../db/core/client.ts';
import { emitEvent } from '../../db/webhooks/webhook-events.ts';
import { findVendor } from '../../db/accounts/vendors.ts';
import { fieldError, invalid } from '../../domain/errors.ts';
import {
  assignGroup,
  changeShipping,
  setGroupStatus,
  type FulfilmentGroup,
} from '../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { ApiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { changeGroup } from './change-group.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { optionalField, uuid } from '../validation/fields.ts';
import { operatorGroup, operatorGroupResponse } from './responses/operator-group.ts';
import { orderAssignedEvent } from './order-assigned-event.ts';
import { groupStatusText } from './order-texts.ts';
import { sample } from '../validation/sample.ts';
import { pathId } from '../validation/path-id.ts';
import { shippingChange, shippingEntries } from './shipping-fields.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ id: v.string() });
const response = { 200: envelope(operatorGroupResponse) };
const tags = ['Operator: orders'];
const config = { role: 'Operations' } as const;

const audited = ({
  vendorId,
  status,
  trackingRef,
  carrier,
  carrierNameOther,
}: FulfilmentGroup) => ({
  vendorId,
  status,
  trackingRef,
  carrier,
  carrierNameOther,
});

const note =
  (request: FastifyRequest, action: string) =>
  (transaction: Queryable, before: FulfilmentGroup, after: FulfilmentGroup): Promise<void> =>
    audit(transaction, request, {
      action: `group.${action}`,
      subjectType: 'group',
      subjectId: before.id,
      before: audited(before),
      after: audited(after),
    });

/** What operators do with fulfilment groups (D39): assign one to a vendor, and whatever happens on its way. */
export function operatorGroupRoutes(app: Routes, { sql }: Dependencies): void {
  app.post(
    '/operator/v1/groups/:id/assign',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_FULFILMENT_GROUP', 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
      },
      schema: {
        params,
        body: v.strictObject({
          vendorId: described(uuid, "The vendor's id.", sample.vendorId),
        }),
        response,
        tags,
        summary: 'Assign a group that waits for a source to a vendor',
        operationId: 'assignGroup',
        description:
          'Gives a group in `PendingSourcing` to an active vendor: it becomes `Pending` and one of ' +
          "the vendor's shipments, and the vendor is told by `vendor.order.assigned`.",
      },
    },
    async (request) => {
      const groupId = pathId(request.params.id, 'NOT_FOUND_FULFILMENT_GROUP');
      const { vendorId } = request.body;
      const group = await changeGroup(sql, {
        groupId,
        vendorId: null,
        decide: (found) => assignGroup(found, vendorId),
        also: async (transaction, before, after, now) => {
          const vendor = await findVendor(transaction, vendorId);
          if (vendor?.isActive !== true) {
            const error = fieldError('vendorId', 'unknown', 'must be an active vendor');
            throw new ApiError(invalid(error).failure);
          }
          await emitEvent(transaction, orderAssignedEvent(after, vendorId, now));
          await note(request, 'assign')(transaction, before, after);
        },
      });
      return success(operatorGroup(group));
    },
  );
  app.patch(
    '/operator/v1/groups/:id',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_FULFILMENT_GROUP', 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
      },
      schema: {
        params,
        body: v.strictObject({
          status: described(
            optionalField(v.picklist(groupStatuses)),
            `The status to move to. Omit it or send null to keep it. ${groupStatusText}`,
            'Delivered',
          ),
          ...shippingEntries,
        }),
        response,
        tags,
        summary: 'Move a group, or say how it travels',
        operationId: 'updateGroup',
        description:
          "Sets a group's status, how it travels, or both, in one step: if the status is refused, " +
          'nothing is stored. Statuses move from `Pending` by `Packed`, `Shipped` and `Delivered` ' +
          'to `Returned`; `Packed` may be skipped, and what has not shipped may be `Cancelled`. The ' +
          'status that it has already is refused.',
      },
    },
    async (request) => {
      const { status, ...shipping } = request.body;
      const group = await changeGroup(sql, {
        groupId: pathId(request.params.id, 'NOT_FOUND_FULFILMENT_GROUP'),
        vendorId: null,
        decide: (found, now) => {
          const shipped = changeShipping(found, shippingChange(shipping));
          return !shipped.ok || status === null
            ? shipped
            : setGroupStatus(shipped.value, status, now);
        },
        also: note(request, 'update'),
      });
      return success(operatorGroup(group));
    },
  );
}
