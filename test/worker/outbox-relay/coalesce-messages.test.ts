import { expect, test } from 'vitest';
import type { OutboxMessage } from '../../../db/outbox/outbox.ts';
import { coalesceMessages } from '../../../worker/outbox-relay/coalesce-messages.ts';

const message = (
  id: string,
  subjectId: string,
  kind: OutboxMessage['kind'] = 'offerReview',
): OutboxMessage => ({
  id,
  kind,
  subjectId,
  input: { n: id },
  attempts: 0,
});

const named = (id: string, subjectId: string, signal: string): OutboxMessage => ({
  ...message(id, subjectId, 'returnInspection'),
  input: { signal, n: id },
});

test('several messages to one workflow become one, the latest, which stands for all of them', () => {
  const folded = coalesceMessages([message('1', 'a'), message('2', 'b'), message('3', 'a')]);
  expect(folded).toEqual([
    { message: message('3', 'a'), ids: ['1', '3'] },
    { message: message('2', 'b'), ids: ['2'] },
  ]);
});

test('messages of two kinds about one subject stay two', () => {
  expect(coalesceMessages([message('1', 'a'), message('2', 'a', 'webhookDelivery')])).toHaveLength(
    2,
  );
});

test('messages by one name become one, those by two names stay two: each is seen in the history', () => {
  const folded = coalesceMessages([
    named('1', 'a', 'evidence'),
    named('2', 'a', 'proposed'),
    named('3', 'a', 'evidence'),
    named('4', 'b', 'evidence'),
    named('5', 'a', 'proposed'),
  ]);
  expect(folded).toEqual([
    { message: named('3', 'a', 'evidence'), ids: ['1', '3'] },
    { message: named('5', 'a', 'proposed'), ids: ['2', '5'] },
    { message: named('4', 'b', 'evidence'), ids: ['4'] },
  ]);
});

test('every message is stood for once, whatever the mixture', () => {
  const kinds = ['offerReview', 'webhookDelivery', 'agreementSwitch', 'returnInspection'] as const;
  const messages = Array.from({ length: 200 }, (_, index) => {
    const kind = kinds[index % 4] ?? 'offerReview';
    const subject = `s${(index * 7) % 11}`;
    const signal = ['received', 'evidence', 'proposed', 'changed'][(index * 3) % 5] ?? '';
    return { ...message(String(index), subject, kind), input: { signal } };
  });
  const folded = coalesceMessages(messages);
  expect(folded.flatMap(({ ids }) => ids).toSorted()).toEqual(
    messages.map(({ id }) => id).toSorted(),
  );
  for (const { message: latest, ids } of folded) expect(ids.at(-1)).toBe(latest.id);
});
