import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/actors.ts';
import { newOrderFixture, succeeded, type OrderFixture } from './order-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// Calls that meet on one shipment, in real transactions on the real Postgres.

const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const patch = (fixture: OrderFixture, vendor: TestVendor, id: string, body: unknown) =>
  fixture.send(vendor, 'PATCH', `/${id}`, body);
const post = (fixture: OrderFixture, vendor: TestVendor, id: string, action: string) =>
  fixture.send(vendor, 'POST', `/${id}/${action}`);

test("of a vendor's ship and an operator's cancel exactly one wins, in each of 50 rounds", async ({
  gateway,
  fixture,
  vendor,
}) => {
  for (let round = 0; round < 50; round += 1) {
    const id = await fixture.groupIn('Pending', vendor);
    const calls = [
      async () => ({ to: 'Shipped', answer: await post(fixture, vendor, id, 'ship') }),
      async () => ({
        to: 'Cancelled',
        answer: await fixture.operate('PATCH', `/groups/${id}`, { status: 'Cancelled' }),
      }),
    ];
    const runExclusive = round % 2 === 0 ? calls : calls.toReversed();
    const answers = await Promise.all(runExclusive.map((send) => send()));
    const winners = answers.filter(({ answer }) => answer.status === 200).map(({ to }) => to);
    expect(winners).toHaveLength(1);
    const loser = answers.find(({ answer }) => answer.status !== 200);
    expect(loser?.answer).toMatchObject({
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
  const [packs] = await Promise.all([
    Promise.all(twenty.map(() => post(fixture, vendor, id, 'pack'))),
    Promise.all(
      twenty.map((index) =>
        patch(fixture, vendor, id, { trackingRef: `T-${index}` }).then(succeeded),
      ),
    ),
    Promise.all(
      twenty.map((index) =>
        patch(fixture, vendor, id, { vendorOrderId: `V-${index}` }).then(succeeded),
      ),
    ),
  ]);
  expect(packs.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(packs.filter(({ status }) => status === 422)).toHaveLength(19);
  expect((await patch(fixture, vendor, id, {})).payload).toMatchObject({
    status: 'Packed',
    trackingRef: expect.stringMatching(/^T-/),
    vendorOrderId: expect.stringMatching(/^V-/),
  });
});
