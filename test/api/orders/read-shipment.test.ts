import { expect } from 'vitest';
import { orderTest as test } from './order-fixture.ts';

// A vendor reads one of its own fulfilment groups (D140).

test('answers the group as the list shows it', async ({ fixture, vendor }) => {
  const id = await fixture.groupIn('Pending', vendor);
  const answer = await fixture.send(vendor, 'GET', `/${id.toUpperCase()}`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const list = await fixture.send(vendor, 'GET', '?pageSize=100');
  expect(list.payload).toMatchObject({ items: expect.arrayContaining([answer.payload]) });
});
