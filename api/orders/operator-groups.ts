import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { findVendor } from '../../db/accounts/vendors.ts';
import type { Queryable } from '../../db/core/client.ts';
import { fieldError } from '../../domain/errors.ts';
import {
  assignGroup,
  changeShipping,
  setGroupStatus,
  type FulfilmentGroup,
} from '../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { validationErrors } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { sample } from '../validation/sample.ts';
import { groupStatusText } from './order-texts.ts';
import { optionalField, uuid } from '../validation/fields.ts';
import { changeGroup } from './change-group.ts';
import { fulfilmentGroup } from './responses/fulfilment-group.ts';
import { operatorGroupResponse } from './responses/operator-group.ts';
import { shippingEntries, withCarrierRules } from './shipping-fields.ts';

const vendorInactive = fieldError('vendorId', 'unknown', 'must be an active vendor');
const responses = {
  payload: operatorGroupResponse,
  notFound: 'NOT_FOUND_FULFILMENT_GROUP',
  refusals: ['BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
} as const;

const audited = (group: FulfilmentGroup) => {
  const { vendorId, status, trackingRef, carrier, carrierNameOther } = group;
  return { vendorId, status, trackingRef, carrier, carrierNameOther };
};

export const auditGroup =
  (request: FastifyRequest, action: 'group.assign' | 'group.update') =>
  (transaction: Queryable, before: FulfilmentGroup, after: FulfilmentGroup): Promise<void> =>
    audit(transaction, request, action, before.id, {
      before: audited(before),
      after: audited(after),
    });

/** Operators' commands on fulfilment groups. */
export const operatorGroupRoutes: AddRoutes = (app, { sql }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: orders' });
  route({
    at: 'POST /operator/v1/groups/:id/assign',
    operationId: 'assignGroup',
    summary: 'Assign a group to a vendor',
    description:
      'Assigns a group in `PendingSourcing` to an active vendor. The group becomes `Pending` ' +
      "and one of the vendor's shipments. The vendor gets `vendor.order.assigned`.",
    body: v.strictObject({ vendorId: described(uuid, "The vendor's id.", sample.vendorId) }),
    ...responses,
    handler: async ({ id: groupId, body: { vendorId }, request }) => {
      const group = await changeGroup(
        sql,
        { groupId, vendorId: null },
        (found) => assignGroup(found, vendorId),
        async (transaction, before, after) => {
          const vendor = await findVendor(transaction, vendorId);
          if (vendor?.isActive !== true) throw validationErrors(vendorInactive);
          await auditGroup(request, 'group.assign')(transaction, before, after);
        },
      );
      return fulfilmentGroup(group);
    },
  });
  route({
    at: 'PATCH /operator/v1/groups/:id',
    operationId: 'updateGroup',
    summary: "Change a group's status or shipping details",
    description:
      "Sets a group's status, its shipping details, or both in one step: if the status is " +
      'refused, the call stores nothing. A group moves from `Pending` through `Packed`, ' +
      '`Shipped` and `Delivered` to `Returned`. `Packed` is optional. A group that has not ' +
      'shipped can become `Cancelled`. The call refuses the present status.',
    body: withCarrierRules(
      v.strictObject({
        status: described(
          optionalField(v.picklist(groupStatuses)),
          `The status to move to. Omit it or send null to keep it. ${groupStatusText}`,
          'Delivered',
        ),
        ...shippingEntries,
      }),
    ),
    ...responses,
    handler: async ({ id: groupId, body: { status, ...shipping }, request }) => {
      const group = await changeGroup(
        sql,
        { groupId, vendorId: null },
        (found, now) => {
          const shipped = changeShipping(found, shipping);
          return !shipped.ok || status === null
            ? shipped
            : setGroupStatus(shipped.value, status, now);
        },
        auditGroup(request, 'group.update'),
      );
      return fulfilmentGroup(group);
    },
  });
};
