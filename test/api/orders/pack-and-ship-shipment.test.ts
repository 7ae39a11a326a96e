import { expect } from 'vitest';
import type { TestVendor } from '../../support/api/actors.ts';
import { refusal } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  changeTimeOf,
  expectGroupUnchanged,
  orderTest as test,
  succeeded,
  type OrderFixture,
} from './order-fixture.ts';

// Which status allows which move has its cases in `test/domain/orders`.

const post = (fixture: OrderFixture, vendor: TestVendor, id: string, action: string) =>
  fixture.send(vendor, 'POST', `/${id}/${action}`);

test('pack and ship move a shipment on, each with its time, and change the change time', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const id = await fixture.groupIn('Pending', vendor);
  const times = [await changeTimeOf(gateway, id)];
  const packed = await post(fixture, vendor, id.toUpperCase(), 'pack');
  const once = { packedAt: instant, shippedAt: null, deliveredAt: null };
  expect(packed).toMatchObject({ status: 200, details: {} });
  expect(packed.payload).toMatchObject({ groupId: id, status: 'Packed', ...once });
  times.push(await changeTimeOf(gateway, id));
  const shipped = await post(fixture, vendor, id, 'ship');
  expect(shipped).toMatchObject({
    status: 200,
    payload: { ...packed.payload, status: 'Shipped', shippedAt: instant },
  });
  times.push(await changeTimeOf(gateway, id));
  expect(times).toEqual([...new Set(times)].toSorted());
  const list = await fixture.send(vendor, 'GET', '?pageSize=100');
  expect(list.payload).toMatchObject({ items: expect.arrayContaining([shipped.payload]) });
});

test.for([
  ['pack', 'Cancelled'],
  ['ship', 'Shipped'],
] as const)(
  '%s of a %s shipment is 422 and stores nothing',
  async ([action, status], { gateway, fixture, vendor }) => {
    const id = await fixture.groupIn(status, vendor);
    const expected = refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status, action });
    await expectGroupUnchanged(gateway, id, () => post(fixture, vendor, id, action), expected);
  },
);

test("of a vendor's ship and an operator's cancel exactly one is made, in each of 20 rounds", async ({
  gateway,
  fixture,
  vendor,
}) => {
  for (let round = 0; round < 20; round += 1) {
    const id = await fixture.groupIn('Pending', vendor);
    const calls = [
      async () => ({ to: 'Shipped', answer: await post(fixture, vendor, id, 'ship') }),
      async () => ({
        to: 'Cancelled',
        answer: await fixture.operate('PATCH', `/groups/${id}`, { status: 'Cancelled' }),
      }),
    ];
    const answers = await Promise.all(
      (round % 2 === 0 ? calls : calls.toReversed()).map((send) => send()),
    );
    const winners = answers.filter(({ answer }) => answer.status === 200).map(({ to }) => to);
    expect(winners).toHaveLength(1);
    expect(answers.find(({ answer }) => answer.status !== 200)?.answer).toMatchObject({
      status: 422,
      state: 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
      details: { status: winners[0] },
    });
    const isShipped = winners[0] === 'Shipped';
    const rows = await gateway.sql`
      select status, shipped_at is not null as is_shipped,
        (select count(*)::int from audit_log where subject_id = ${id}) as entries
      from fulfilment_groups where id = ${id}`;
    expect(rows).toEqual([{ status: winners[0], isShipped, entries: isShipped ? 0 : 1 }]);
  }
});

test('of twenty packs at once one is made, and pushes meanwhile lose nothing', async ({
  fixture,
  vendor,
}) => {
  const id = await fixture.groupIn('Pending', vendor);
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const push = async (body: unknown) =>
    succeeded(await fixture.send(vendor, 'PATCH', `/${id}`, body));
  const [packs] = await Promise.all([
    Promise.all(twenty.map(() => post(fixture, vendor, id, 'pack'))),
    Promise.all(twenty.map((index) => push({ trackingRef: `T-${index}` }))),
    Promise.all(twenty.map((index) => push({ vendorOrderId: `V-${index}` }))),
  ]);
  expect(packs.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(packs.filter(({ status }) => status === 422)).toHaveLength(19);
  expect((await fixture.send(vendor, 'PATCH', `/${id}`, {})).payload).toMatchObject({
    status: 'Packed',
    trackingRef: expect.stringMatching(/^T-/),
    vendorOrderId: expect.stringMatching(/^V-/),
  });
});
