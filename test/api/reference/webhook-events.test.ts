import { expect } from 'vitest';
import { vendorSide } from '../../../api/reference/api-sides.ts';
import { eventBody, eventTypes } from '../../../domain/webhooks/events.ts';
import { sampleData } from '../../../domain/webhooks/webhook-sample.ts';
import { addSubscription } from '../../db/support.ts';
import { signatureHeaders } from '../../../security/webhook-signature.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { newOrderFixture } from '../orders/order-fixture.ts';
import {
  child,
  jsonSchemaIn,
  newSchemaValidator,
  readReference,
  resolved,
} from '../../support/api/openapi-document.ts';
import { closed } from '../../support/api/response-contract.ts';
import { unknownId } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest
  .extend('reference', { scope: 'file' }, ({ gateway }) => readReference(gateway.app, vendorSide))
  /** What is wrong with a body by the schema of its type, which allows nothing else; or null. */
  .extend('objectionTo', { scope: 'file' }, ({ reference: { document } }) => {
    const ajv = newSchemaValidator();
    ajv.addSchema({ ...(closed(document) as object), $id: 'reference' });
    return (body: string): string | null => {
      const event = JSON.parse(body) as { eventType: string };
      const { post } = child(document, 'webhooks', event.eventType);
      const { $ref } = jsonSchemaIn(child(post)['requestBody']);
      const validate = ajv.compile({ $ref: `reference${String($ref)}` });
      return validate(event) ? null : `${ajv.errorsText(validate.errors)} in ${body}`;
    };
  });

const at = '2026-11-21T08:00:00.000Z';

test('documents exactly the event types that vendors can subscribe to', ({ reference }) => {
  expect(Object.keys(child(reference.document, 'webhooks'))).toEqual(eventTypes);
});

test('documents each event type with a description, an example and its signature headers', ({
  reference: { document },
}) => {
  const signed = Object.keys(signatureHeaders('whsec_', 'evt_1', new Date(0), '{}'));
  for (const eventType of eventTypes) {
    const post = child(document, 'webhooks', eventType, 'post');
    expect(post['summary'], eventType).toContain(eventType);
    expect(post['description'], eventType).toMatch(/^[A-Z].+\./);
    const parameters = post['parameters'] as readonly unknown[];
    const names = parameters.map((each) => child(resolved(document, each))['name']);
    expect(names, eventType).toEqual(signed);
  }
});

test.for(eventTypes)(
  'has the documented form in the example and a sample of %s',
  (eventType, { reference: { document }, objectionTo }) => {
    const { requestBody } = child(document, 'webhooks', eventType, 'post');
    const { example } = child(requestBody, 'content', 'application/json');
    expect(example).toMatchObject({ eventType });
    expect(objectionTo(JSON.stringify(example))).toBeNull();
    const data = sampleData(eventType, { newId: unknownId, at });
    const ids = { eventId: `evt_${unknownId()}`, vendorId: unknownId() };
    const body = eventBody({ ...ids, eventType, occurredAt: at, test: true, data });
    expect(
      objectionTo(JSON.stringify({ ...(JSON.parse(body) as object), sequence: null })),
    ).toBeNull();
  },
);

test('emits decisions and an order in the documented form', async ({ gateway, objectionTo }) => {
  const offers = await newOfferFixture(gateway);
  const { vendorId } = offers.vendor;
  await addSubscription(gateway.sql, vendorId, [...eventTypes]);
  const live = await offers.offerIn('Approved');
  for (const action of ['apply', 'discard'] as const) {
    const cost = action === 'apply' ? 321 : 123;
    await offers.send('PATCH', `/${live}/cost`, { cost, costIsVatInclusive: false });
    await offers.decide(live, `pending-price/${action}`);
  }
  await offers.offerIn('Rejected');
  const orders = await newOrderFixture(gateway);
  await orders.take({ vendorId });
  const events = await gateway.sql<{ eventType: string; body: string }[]>`
    select event_type, body from webhook_events where vendor_id = ${vendorId}`;
  expect(new Set(events.map(({ eventType }) => eventType))).toEqual(
    new Set(['vendor.order.assigned', 'vendor.offer.review-decision']),
  );
  const decisions = events.map(({ body }) => /"decision":"(\w+)"/.exec(body)?.[1]);
  expect(decisions).toEqual(
    expect.arrayContaining(['Approved', 'Rejected', 'PriceApplied', 'PriceDiscarded']),
  );
  expect(events.flatMap(({ body }) => objectionTo(body) ?? [])).toEqual([]);
});
