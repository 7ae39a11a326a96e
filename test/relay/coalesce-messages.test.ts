import { expect, test } from 'vitest';
import type { RunMessage, ReturnSignal } from '../../domain/messages.ts';
import { coalesceMessages, type ClaimedMessage } from '../../relay/coalesce-messages.ts';

const times = { inspectionStartMs: 1, inspectionWindowMs: 2 };
const vendorId = 'v';
const eventType = 'vendor.offer.review-decision';

const offer = (id: string, subjectId: string): ClaimedMessage => ({
  id,
  message: { kind: 'offerReview', subjectId, payload: { vendorId: id } },
});
const inspection = (id: string, subjectId: string, signal: ReturnSignal): ClaimedMessage => ({
  id,
  message: { kind: 'returnInspection', subjectId, payload: { signal, vendorId: id, ...times } },
});

const byText = (one: string, other: string) => one.localeCompare(other);

test('several messages to one workflow become the latest one', () => {
  const [first, second, third] = [offer('1', 'a'), offer('2', 'b'), offer('3', 'a')];
  expect(coalesceMessages([first, second, third])).toEqual([
    { message: third.message, ids: ['1', '3'] },
    { message: second.message, ids: ['2'] },
  ]);
});

test('messages of two kinds about one subject stay two', () => {
  const batch: RunMessage = {
    kind: 'webhookDeliveryBatch',
    subjectId: 'a',
    payload: { size: 1 },
  };
  expect(coalesceMessages([offer('1', 'a'), { id: '2', message: batch }])).toHaveLength(2);
});

test('messages by one name become one, by two names two: the history shows each', () => {
  const messages = [
    inspection('1', 'a', 'evidence'),
    inspection('2', 'a', 'proposed'),
    inspection('3', 'a', 'evidence'),
    inspection('4', 'b', 'evidence'),
    inspection('5', 'a', 'proposed'),
  ];
  expect(coalesceMessages(messages)).toEqual([
    { message: messages[2]?.message, ids: ['1', '3'] },
    { message: messages[4]?.message, ids: ['2', '5'] },
    { message: messages[3]?.message, ids: ['4'] },
  ]);
});

test('coalescing covers every message once, in any mixture', () => {
  const signals = ['received', 'evidence', 'proposed', 'changed'] as const;
  const messages = Array.from({ length: 200 }, (_, index): ClaimedMessage => {
    const id = String(index);
    const subjectId = `s${(index * 7) % 11}`;
    const signal = signals[(index * 3) % 5] ?? 'changed';
    switch (index % 4) {
      case 0:
        return offer(id, subjectId);
      case 1:
        return inspection(id, subjectId, signal);
      case 2:
        return { id, message: { kind: 'agreementSwitch', subjectId, payload: {} } };
      default: {
        const payload = { signal: 'deactivated', vendorId, eventType } as const;
        return { id, message: { kind: 'webhookDelivery', subjectId, payload } };
      }
    }
  });
  const coalesced = coalesceMessages(messages);
  expect(coalesced.flatMap(({ ids }) => ids).toSorted(byText)).toEqual(
    messages.map(({ id }) => id).toSorted(byText),
  );
  const messageOf = new Map(messages.map(({ id, message }) => [id, message]));
  for (const { message, ids } of coalesced) expect(messageOf.get(ids.at(-1) ?? '')).toBe(message);
});
