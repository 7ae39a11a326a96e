import * as v from 'valibot';
import { upcomingPage } from '../../api/upcoming/upcoming-response.ts';
import { eventPayload } from '../../api/webhooks/responses/event-feed.ts';
import { createOrder } from './api-calls.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { receiveNext } from './events.ts';
import type { UndecidedReturn } from './returns.ts';

const numbered = v.object({ eventId: v.string(), sequence: v.number() });
type FeedEvent = v.InferOutput<typeof eventPayload>['items'][number];

/** Every event after a number, page by page. */
export async function readAfter(
  { vendor }: DemoContext,
  after: number,
): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let from = after; ;) {
    const page = await vendor.expect(`GET /api/v1/events?after=${from}`, eventPayload);
    events.push(...page.items);
    from = page.nextAfter;
    if (from >= page.latestSequence) return events;
  }
}

function expectNoGap(events: readonly FeedEvent[], after: number): void {
  const isComplete = events.every(({ sequence }, index) => sequence === after + 1 + index);
  expect(isComplete, `the numbers go from ${after + 1} to ${after + events.length} without a gap`);
}

/** While the subscription is inactive, an event finds no receiver. The feed has it. */
export async function fillGap(context: DemoContext): Promise<void> {
  const { vendor, operator, vendorId, variantId, subscription, step, print } = context;
  const before = (await readAfter(context, 0)).length;
  const setActive = (isActive: boolean) =>
    vendor.expect(`PATCH /api/v1/webhooks/${subscription.id}/active`, v.unknown(), {
      body: { isActive },
    });
  const group = { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] };

  step('An order is assigned while the subscription is inactive: no webhook comes for it');
  await setActive(false);
  const missed = await createOrder(operator, [group]);
  await setActive(true);

  step('The next webhook shows the gap by its number');
  await createOrder(operator, [group]);
  const received = await receiveNext(context);
  const { sequence } = v.parse(numbered, received.verify(subscription.secret));
  print(`    the last event was ${before}, the webhook has the number ${sequence}`);
  expect(sequence === before + 2, 'one event is missing');

  step('The vendor reads it from the event feed');
  const events = await readAfter(context, before);
  expectNoGap(events, before);
  const data = v.parse(v.object({ orderGlobalId: v.string() }), events[0]?.data);
  expect(data.orderGlobalId === missed.orderGlobalId, 'it is the event of the missed order');
}

/** The feed has every event, and the list of upcoming changes what time alone will do. */
export async function readFeed(
  context: DemoContext,
  { id, deadline }: UndecidedReturn,
): Promise<void> {
  const { vendor, step, print } = context;
  step('The vendor reads all its events from the feed: their numbers have no gap');
  const events = await readAfter(context, 0);
  expectNoGap(events, 0);
  print(`    ${events.length} events of ${new Set(events.map((e) => e.eventType)).size} types`);

  step('The vendor reads its upcoming changes: silence decides its return at the deadline');
  const { items } = await vendor.expect('GET /api/v1/upcoming', upcomingPage);
  const end = items.find(({ subject }) => subject.returnId === id);
  expect(end?.kind === 'ReturnInspectionEnd', 'its inspection window ends');
  expect(end?.at === deadline && end.outcome === 'AcceptedDefect', 'it is then AcceptedDefect');
  print(`    ${end?.summary ?? ''} ${end?.stoppedBy ?? ''}`);
}
