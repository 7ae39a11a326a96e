import * as v from 'valibot';
import { inspectionOutcomes } from '../../../domain/returns/return-status.ts';
import { returnDeciders } from '../../../domain/returns/return-event.ts';
import {
  disabledReasons,
  reviewDecisions,
  type EventData,
  type EventType,
} from '../../../domain/webhooks/events.ts';
import { pricingModelName } from '../../accounts/agreement-fields.ts';
import {
  offerId,
  offerStatus,
  productEntries,
  reviewReason,
  vendorExternalId,
} from '../../offers/responses/nested-offer.ts';
import { orderGlobalIdText } from '../../orders/order-texts.ts';
import {
  groupId,
  groupStatus,
  orderLineResponse,
} from '../../orders/responses/fulfilment-group.ts';
import { returnStatus } from '../../returns/responses/return-request.ts';
import { exampleOf } from '../../reference/examples.ts';
import { describeValues } from '../../validation/described.ts';
import { jsonSchemaOf } from '../../validation/json-schema.ts';
import { enumeration, field, list, orNull, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { subscriptionIdText } from '../webhook-texts.ts';
import { webhookEventType } from './webhook.ts';

const returnData = titled('VendorReturnData', {
  returnId: field.id("The return's id.", sample.returnId),
  returnRequestNumber: field.text('The number that people use for it.', 'RR-00000042'),
  orderGlobalId: field.text(...orderGlobalIdText),
  status: returnStatus,
  inspectionStartsAt: field.instantOrNull(
    'When the workflow starts the inspection; null if no timer waits for that.',
    null,
  ),
  inspectionWindowDeadline: field.instantOrNull(
    'The deadline for a proposal; null before the inspection.',
    sample.inspectionDeadline,
  ),
  silenceOutcome: orNull(
    v.picklist(inspectionOutcomes),
    'What silence decides at the deadline; null where it decides nothing.',
    'AcceptedSound',
  ),
  outcome: orNull(v.picklist(inspectionOutcomes), 'The decision; null before it.', null),
  decidedBy: orNull(
    v.picklist(returnDeciders),
    '`Staff`, or `Silence` after a window without a proposal; null before the decision.',
    null,
  ),
});

/** The `data` of each event type. */
export const dataSchemas = {
  'vendor.order.assigned': titled('VendorOrderAssignedData', {
    groupId,
    orderGlobalId: field.text(...orderGlobalIdText),
    status: groupStatus,
    lines: list(orderLineResponse, 'The lines of the shipment.'),
  }),
  'vendor.offer.review-decision': titled('VendorOfferReviewDecisionData', {
    offerId,
    vendorExternalId,
    vendorSku: productEntries.vendorSku,
    decision: enumeration(
      'ReviewDecision',
      reviewDecisions,
      describeValues("The reviewer's decision.", {
        Approved: 'the offer is live.',
        Rejected: 'the offer was rejected, with a reason.',
        PriceApplied: 'the staged price is the live price now.',
        PriceDiscarded: 'the staged price was discarded; the live price stays.',
        ReturnedToReview:
          'an earlier decision is corrected: the offer, or its staged price, waits for a reviewer ' +
          'again. `status` has the status after it.',
      }),
      'Approved',
    ),
    status: offerStatus,
    reason: reviewReason,
    reviewedAt: field.instant('When the reviewer decided, in UTC.', sample.approvedAt),
  }),
  'vendor.order.changed': titled('VendorOrderChangedData', {
    groupId,
    orderGlobalId: field.text(...orderGlobalIdText),
    previousStatus: groupStatus,
    status: groupStatus,
  }),
  'vendor.offer.agreement-switched': titled('VendorOfferAgreementSwitchedData', {
    previousPricingModel: pricingModelName,
    pricingModel: pricingModelName,
  }),
  'vendor.return.requested': returnData,
  'vendor.return.received': returnData,
  'vendor.return.inspection-started': returnData,
  'vendor.return.inspection-closing': returnData,
  'vendor.return.decided': returnData,
  'vendor.return.refund-released': returnData,
  'vendor.webhook.disabled': titled('VendorWebhookDisabledData', {
    subscriptionId: field.id(...subscriptionIdText),
    reason: enumeration(
      'WebhookDisabledReason',
      disabledReasons,
      describeValues('Why the gateway made the subscription inactive.', {
        Gone: 'its receiver answered 410.',
        FailingTooLong: 'it had nothing but failures for five days.',
      }),
      'Gone',
    ),
  }),
  'vendor.webhook.delivery-dead-lettered': titled('VendorWebhookDeliveryDeadLetteredData', {
    subscriptionId: field.id(...subscriptionIdText),
    deliveryId: field.id("The delivery's id.", sample.deliveryId),
    deadLetteredEventId: field.text(
      'The `eventId` of the event that was not delivered.',
      sample.eventId,
    ),
    deadLetteredEventType: webhookEventType,
    attemptCount: field.integer('The number of its attempts.', 10),
    httpStatus: field.integerOrNull('The status of the last response, or null.', 503),
    errorSummary: field.textOrNull('Why the last attempt failed.', 'http_status: 503'),
  }),
} satisfies { readonly [T in EventType]: v.GenericSchema<unknown, EventData[T]> };

const newReturn = { inspectionWindowDeadline: null, silenceOutcome: null };
const decidedReturn = {
  silenceOutcome: null,
  outcome: 'AcceptedSound',
  decidedBy: 'Silence',
} as const;

/** How the example of a type differs from the examples of its fields. */
const differences: { readonly [T in EventType]?: Partial<EventData[T]> } = {
  'vendor.order.assigned': { status: 'Pending' },
  'vendor.order.changed': { previousStatus: 'Shipped', status: 'Delivered' },
  'vendor.offer.agreement-switched': { pricingModel: 'PercentageOfSale' },
  'vendor.return.requested': { ...newReturn, status: 'Pending' },
  'vendor.return.received': {
    ...newReturn,
    status: 'Received',
    inspectionStartsAt: sample.inspectionStartedAt,
  },
  'vendor.return.inspection-started': { status: 'UnderInspection' },
  'vendor.return.inspection-closing': { status: 'UnderInspection' },
  'vendor.return.decided': { ...decidedReturn, status: 'InspectionAccepted' },
  'vendor.return.refund-released': { ...decidedReturn, status: 'RefundReleased' },
  'vendor.webhook.delivery-dead-lettered': { deadLetteredEventType: 'vendor.order.assigned' },
};

/** An example of the `data` of an event type. */
export const dataExample = (eventType: EventType): object => ({
  ...(exampleOf(jsonSchemaOf(dataSchemas[eventType])) as object),
  ...differences[eventType],
});
