import { expect, test } from 'vitest';
import type { OutboxMessage } from '../../db/outbox.ts';
import { foldMessages } from '../../worker/fold-messages.ts';

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

test('several messages to one workflow become one, the latest, which stands for all of them', () => {
  const folded = foldMessages([message('1', 'a'), message('2', 'b'), message('3', 'a')]);
  expect(folded).toEqual([
    { message: message('3', 'a'), ids: ['1', '3'] },
    { message: message('2', 'b'), ids: ['2'] },
  ]);
});

test('messages of two kinds about one subject stay two', () => {
  expect(foldMessages([message('1', 'a'), message('2', 'a', 'webhookDelivery')])).toHaveLength(2);
});
