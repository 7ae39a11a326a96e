import { expect, test } from 'vitest';
import { leastId } from '../../db/checks/waiting-rows.ts';
import type { Walk } from '../../db/webhooks/delivery-queue.ts';
import { createQueueWalk } from '../../deliveries/queue-walk.ts';

const [one, two] = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'];
const walked = (second: number, given: Partial<Walk> = {}): Walk => ({
  walkedTo: leastId,
  hasMore: false,
  claimedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  remaining: new Map(),
  deliveries: [],
  ...given,
});
const at = (second: number): string => `2026-01-01 00:00:0${second}+00`;
const early = new Map([[one, at(1)]]);
const late = new Map([[one, at(5)]]);

test('reads from a second before the beginning of the latest whole walk', () => {
  const walk = createQueueWalk();
  expect(walk.next()).toEqual({ walkedTo: leastId, since: '-infinity', remaining: new Map() });
  expect(walk.advance(walked(10, { walkedTo: one, hasMore: true }))).toBe(true);
  expect(walk.next()).toMatchObject({ walkedTo: one, since: '-infinity' });
  expect(walk.advance(walked(20, { hasMore: true }))).toBe(false);
  expect(walk.next()).toMatchObject({ walkedTo: leastId, since: '2026-01-01T00:00:09.000Z' });
});

test('reads what a walk has left of a subscription, until a walk leaves nothing', () => {
  const walk = createQueueWalk();
  walk.advance(walked(10, { walkedTo: one, hasMore: true, remaining: early }));
  walk.advance(walked(10, { remaining: new Map([[two, at(3)]]) }));
  expect(walk.next().remaining).toEqual(new Map([...early, [two, at(3)]]));
  walk.advance(walked(11, { remaining: early }));
  expect(walk.next().remaining).toEqual(early);
  walk.advance(walked(12));
  expect(walk.next().remaining).toEqual(new Map());
});

test('reads what a look has found during a walk in the whole next walk', () => {
  const walk = createQueueWalk();
  walk.next();
  walk.add(late);
  walk.advance(walked(10, { walkedTo: one, hasMore: true }));
  expect(walk.next().remaining).toEqual(new Map());
  walk.add(early);
  walk.add(late);
  walk.advance(walked(10));
  expect(walk.next().remaining).toEqual(early);
  walk.advance(walked(11, { walkedTo: one, hasMore: true }));
  expect(walk.next().remaining).toEqual(early);
  walk.advance(walked(11));
  expect(walk.next().remaining).toEqual(new Map());
});

test('reads the whole queue while many subscriptions wait', () => {
  const walk = createQueueWalk();
  const ids = Array.from({ length: 201 }, (_, index) => `${index}`);
  const remaining = new Map(ids.map((id) => [id, at(1)]));
  walk.advance(walked(10, { remaining }));
  expect(walk.next()).toEqual({ walkedTo: leastId, since: '-infinity', remaining: new Map() });
});
