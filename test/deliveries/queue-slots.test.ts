import { expect, test, vi } from 'vitest';
import { leastId } from '../../db/checks/waiting-rows.ts';
import { createHostSlots, receiverOf, type Release } from '../../deliveries/host-slots.ts';
import { createQueueSlots } from '../../deliveries/queue-slots.ts';
import type { ClaimedDelivery, Walk } from '../../db/webhooks/delivery-queue.ts';

const vendorId = 'vendor';
const claimOf = (subscriptionId: string, url = 'https://one.example'): ClaimedDelivery => ({
  subscriptionId,
  vendorId,
  url,
  deliveryId: 'delivery',
  queuedAt: '2026-11-29 12:00:00+00',
  fence: 1,
  claimedAt: new Date(0),
  attemptNumber: 1,
  secretSealed: new Uint8Array(),
  headersSealed: null,
  isActive: true,
  eventId: 'event',
  eventType: 'vendor.order.assigned',
  vendorName: 'Vendor',
  body: '{}',
  isTest: false,
  traceparent: null,
  now: () => new Date(0),
});

/** A claim over all subscriptions, which left deliveries of these. */
const walkThatLeft = (...subscriptionIds: readonly string[]): Walk => ({
  walkedTo: leastId,
  hasMore: false,
  claimedAt: new Date(0),
  remaining: new Map(subscriptionIds.map((id) => [id, '-infinity'])),
  deliveries: [],
});

const receiver = receiverOf(claimOf('a'));

/** Slots of two requests, both taken for first attempts of `a`. */
function takenSlots() {
  const slots = createHostSlots(2);
  const onSlot = vi.fn();
  const queue = createQueueSlots(slots, onSlot);
  const held = [queue.tryTake(claimOf('a')), queue.tryTake(claimOf('a'))];
  expect(queue.tryTake(claimOf('a'))).toBeNull();
  const free = (): void => held.pop()?.();
  return { slots, queue, onSlot, free };
}

test('keeps a slot that it got in the line for the next claim', () => {
  const { slots, queue, onSlot, free } = takenSlots();
  expect(queue.busy()).toEqual([{ subscriptionId: 'a', slots: 0 }]);
  expect(queue.settle(leastId, walkThatLeft('a'))).toBe(false);
  free();
  expect(onSlot).toHaveBeenCalledTimes(1);
  expect(slots.tryTake(receiver, 'a')).toBeNull();
  expect(queue.busy()).toEqual([{ subscriptionId: 'a', slots: 1 }]);
  expect(queue.tryTake(claimOf('a'))).not.toBeNull();
  expect(queue.tryTake(claimOf('a'))).toBeNull();
});

test('shares the slots equally with further attempts', () => {
  const { slots, queue, free } = takenSlots();
  const given: string[] = [];
  const runs: Release[] = [];
  const further = (): void => {
    slots.enter(receiver, 'a', (release) => {
      given.push('further');
      runs.push(release);
      further();
    });
  };
  further();
  further();
  free();
  for (let turn = 0; turn < 8; turn += 1) {
    queue.settle(leastId, walkThatLeft('a'));
    runs.shift()?.();
    const first = queue.tryTake(claimOf('a'));
    if (first !== null) given.push('first');
    first?.();
  }
  const firsts = given.filter((kind) => kind === 'first').length;
  expect(firsts).toBeGreaterThanOrEqual(3);
  expect(given.length - firsts).toBeGreaterThanOrEqual(3);
});

test('leaves the line once a claim finds no more deliveries', () => {
  const { slots, queue, onSlot, free } = takenSlots();
  queue.settle(leastId, walkThatLeft('a'));
  free();
  queue.settle(leastId, walkThatLeft());
  free();
  expect(onSlot).toHaveBeenCalledTimes(1);
  expect(slots.free(receiver, 'a')).toBe(2);
  expect(queue.busy()).toEqual([]);
});

test('stays in the line while claims see other subscriptions', () => {
  const { slots, queue, free } = takenSlots();
  queue.settle(leastId, walkThatLeft('a'));
  free();
  queue.settle('b', walkThatLeft());
  queue.settle(leastId, { ...walkThatLeft(), walkedTo: '9' });
  expect(slots.free(receiver, 'a')).toBe(0);
  queue.stop();
  expect(slots.free(receiver, 'a')).toBe(1);
});

test('tells of a slot that became free during a claim', () => {
  const { queue, onSlot, free } = takenSlots();
  free();
  expect(queue.settle(leastId, walkThatLeft('a'))).toBe(true);
  expect(onSlot).not.toHaveBeenCalled();
});

test('leaves the line of an earlier URL', () => {
  const { slots, queue, free } = takenSlots();
  queue.settle(leastId, walkThatLeft('a'));
  free();
  const other = claimOf('a', 'https://two.example');
  expect(queue.tryTake(other)).not.toBeNull();
  expect(slots.free(receiver, 'a')).toBe(1);
  expect(slots.free(receiverOf(other), 'a')).toBe(1);
});
