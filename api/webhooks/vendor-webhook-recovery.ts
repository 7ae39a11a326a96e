import * as v from 'valibot';
import { recoveredMax, recoverUndelivered } from '../../db/webhooks/redelivery.ts';
import { lockSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { capabilityForEvent, eventTypes } from '../../domain/webhooks/events.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { described } from '../validation/described.ts';
import { instantField, optionalField } from '../validation/fields.ts';
import { integer, titled } from '../validation/response-parts.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const notRedeliverable = 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE';

/** The body of a vendor's recovery. */
export const vendorRecoveryBody = v.strictObject({
  since: described(
    instantField,
    'Recovers what ended at this instant or later. RFC 3339 with a time and an offset or `Z`.',
    '2026-11-20T00:00:00Z',
  ),
  state: described(
    optionalField(v.picklist(['DeadLettered'])),
    'Only dead letters. Default: also what a deactivation cancelled.',
    'DeadLettered',
  ),
});

/** Redelivers what ended undelivered (D142). */
export const vendorWebhookRecoveryRoute: AddRoutes = (app, { sql }) => {
  vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' })(
    'POST /api/v1/webhooks/:id/recover',
    {
      operationId: 'recoverWebhook',
      summary: 'Redeliver what ended undelivered',
      description:
        'Puts deliveries that ended undelivered since an instant on a new retry schedule, and ' +
        `returns their number: the oldest ${recoveredMax.toLocaleString('en')} at most, so ` +
        'repeat the call until it returns 0. What already waits is not redelivered again. ' +
        'Samples are left out, and so is an event type that the subscription no longer has and ' +
        'whose capability the token lacks. The subscription must be active. The limit of ' +
        'redeliveries does not apply; the recoveries of one subscription run one after another.',
      body: vendorRecoveryBody,
      payload: titled('WebhookRecovery', {
        recovered: described(integer, 'The number of deliveries on a new retry schedule.', 12),
      }),
      statuses: [202],
      isRepeatable: true,
      notFound,
      refusals: [notRedeliverable],
    },
    async ({ caller: { vendorId, capabilities }, id: subscriptionId, body: { since, state } }) => {
      const recovered = await sql.begin(async (transaction) => {
        const locked = await lockSubscription(transaction, subscriptionId, vendorId);
        const { isActive, eventTypes: subscribed } = orNotFound(locked, notFound);
        if (!isActive) throw apiError(notRedeliverable, { reason: 'SUBSCRIPTION_INACTIVE' });
        return recoverUndelivered(transaction, {
          subscriptionId,
          since,
          state: state === 'DeadLettered' ? 'deadLettered' : null,
          eventTypes: eventTypes.filter(
            (type) => subscribed.includes(type) || capabilities.includes(capabilityForEvent[type]),
          ),
        });
      });
      return { recovered };
    },
  );
};
