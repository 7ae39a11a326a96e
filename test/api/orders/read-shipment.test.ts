import { expect } from 'vitest';
import { newVendor } from '../support/actors.ts';
import { refusal, unknownId } from '../support/api.ts';
import { orderTest as test } from './order-fixture.ts';

// A vendor reads one of its own fulfilment groups (D140).

test('answers the group as the list shows it', async ({ fixture, vendor }) => {
  const id = await fixture.groupIn('Pending', vendor);
  const answer = await fixture.send(vendor, 'GET', `/${id.toUpperCase()}`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const list = await fixture.send(vendor, 'GET', '?pageSize=100');
  expect(list.payload).toMatchObject({ items: expect.arrayContaining([answer.payload]) });
});

test("another vendor's group, the service's and none are the same 404", async ({
  gateway,
  fixture,
  vendor,
}) => {
  const sibling = await newVendor(gateway);
  const { groups } = await fixture.take(
    { vendorId: vendor.vendorId },
    { vendorId: sibling.vendorId },
    { vendorId: null },
    { sourcing: true },
  );
  const hidden = groups.slice(1).map(({ groupId }) => groupId);
  for (const id of [...hidden, unknownId(), '1'])
    expect(await fixture.send(vendor, 'GET', `/${id}`)).toMatchObject(
      refusal('NOT_FOUND_FULFILMENT_GROUP'),
    );
});
