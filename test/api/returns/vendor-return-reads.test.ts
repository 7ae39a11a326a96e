import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { itemsOf, refusal, type Gateway } from '../../support/api/api.ts';
import { atMinute as at, expectLists, idsOf, listOf } from '../../support/api/lists.ts';
import { instant } from '../../support/api/matchers.ts';
import { newReturnFixture, photoUrl, succeeded, type ReturnFixture } from './return-fixture.ts';

// The view of a vendor. That it reaches no other return has its cases in `test/api/isolation`, the
// forms of query parameters in `test/api/validation/query.test.ts`.

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newReturnFixture(gateway))
  .extend('list', listOf);

const payloadOf = async ({ send }: ReturnFixture, path: string) =>
  (await succeeded(send('GET', path))).payload ?? {};

test('shows a decided return alone and listed, with its history', async ({ fixture }) => {
  const id = await fixture.request({ reasonCodes: ['WrongItem', 'ChangedMind'] });
  const staff = (path: string, body: object = {}) =>
    succeeded(fixture.staff('POST', `/${id}/${path}`, { reason: `staff-only ${path}`, ...body }));
  await staff('approve');
  await staff('in-transit');
  await succeeded(fixture.receive(id));
  await staff('start-inspection');
  await succeeded(fixture.addEvidence(id));
  await succeeded(fixture.propose(id, 'Rejected'));
  await staff('decide', { outcome: 'AcceptedDefect' });
  await staff('refund-released');
  const payload = await payloadOf(fixture, `/${id}`);
  const { history, ...rest } = await payloadOf(fixture, `/${id}?include=history`);
  expect(rest).toStrictEqual(payload);
  expect((await payloadOf(fixture, '?status=RefundReleased'))['items']).toStrictEqual([payload]);

  const way = ['Pending', 'Approved', 'InTransit', 'Received', 'UnderInspection'];
  const ways = [...way, 'InspectionAccepted', 'RefundReleased'];
  expect(history).toStrictEqual(
    ways.map((to, index) => ({ at: instant, from: ways[index - 1] ?? null, to })),
  );
  const times = (history as readonly { readonly at: string }[]).map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  const [requestedAt, , , receivedAt, inspectionStartedAt = '', inspectionDecidedAt] = times;
  const deadline = new Date(Date.parse(inspectionStartedAt) + 72 * 3_600_000).toISOString();
  expect(payload).toStrictEqual({
    id,
    orderGlobalId: expect.stringMatching(/^ord_/),
    returnRequestNumber: expect.stringMatching(/^RR-\d{8}$/),
    status: 'RefundReleased',
    requestedAt,
    receivedAt,
    inspectionStartedAt,
    inspectionDecidedAt,
    inspection: {
      receivedAt,
      inspectionStartedAt,
      inspectionWindowDeadline: deadline,
      receivingParty: 'Supplier',
      outcome: 'AcceptedDefect',
      supplierProposedOutcome: 'Rejected',
      requiresStaffReview: false,
      evidence: [{ id: expect.any(String), url: photoUrl, kind: 'Photo', uploadedAt: instant }],
    },
    lines: [
      expect.objectContaining({ quantity: 1, reasonCode: 'WrongItem' }),
      expect.objectContaining({ quantity: 1, reasonCode: 'ChangedMind' }),
    ],
  });
});

test('lists the history of each return on request, in both orders', async ({ fixture, list }) => {
  const [one, two] = [await fixture.returnIn('Withdrawn'), await fixture.returnIn('Pending')];
  const include = 'history';
  const items = itemsOf(await list({ include }));
  expect(
    items.map(({ id, history }) => [id, (history as { to: string }[]).map(({ to }) => to)]),
  ).toEqual([
    [two, ['Pending']],
    [one, ['Pending', 'Withdrawn']],
  ]);
  expect(itemsOf(await list())[0]).not.toHaveProperty('history');
  const since = await list({ include, changedSince: '2020-01-01T00:00:00Z' });
  expect(itemsOf(since)).toStrictEqual(items.toReversed());
});

/** Returns that were requested, and last changed, at these minutes of one hour. */
async function datedReturns(
  gateway: Gateway,
  fixture: ReturnFixture,
  minutes: readonly (readonly [requested: number, changed: number])[],
  status: ReturnStatus = 'Pending',
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [requested, changed] of minutes) {
    const id = await fixture.returnIn(status);
    await gateway.sql`
      update return_requests set requested_at = ${at(requested)}::text::timestamptz,
        changed_at = ${at(changed)}::text::timestamptz
      where id = ${id}`;
    ids.push(id);
  }
  return ids;
}

test('lists the newest first, then the later id, in pages', async ({ gateway, fixture, list }) => {
  const minutes = [1, 2, 2, 0, 3].map((minute) => [minute, 9 - minute] as const);
  const [one, two, three, oldest, newest] = await datedReturns(gateway, fixture, minutes);
  const page = (number: number) => list({ page: String(number), pageSize: '2' });
  const pages = [await page(1), await page(2), await page(3), await page(4)];
  expect(pages.flatMap(idsOf)).toEqual([newest, three, two, one, oldest]);
  for (const [index, { payload, details }] of pages.entries()) {
    expect(details).toEqual({});
    const pagination = { page: index + 1, pageSize: 2, totalCount: 5, totalPages: 3 };
    expect(payload?.['pagination']).toStrictEqual(pagination);
  }
});

test('filters by status, time of request and change time', async ({ gateway, fixture, list }) => {
  const [one, two] = await datedReturns(gateway, fixture, [
    [1, 9],
    [2, 7],
  ]);
  const received = await datedReturns(gateway, fixture, [[3, 7]], 'Received');
  const three = received[0];
  await expectLists(list, [
    [{ status: 'Pending' }, [two, one]],
    [{ status: 'Received' }, [three]],
    [{ status: 'Closed' }, []],
    [{ status: 'Pending', from: at(2) }, [two]],
    [{ status: 'Received', to: at(2) }, []],
    [{ from: at(1) }, [three, two, one]],
    [{ from: at(1, '000001') }, [three, two]],
    [{ to: at(3) }, [three, two, one]],
    [{ to: at(2, '999999') }, [two, one]],
    [{ from: at(2), to: at(2) }, [two]],
    // Strictly after, by change time and then by id.
    [{ changedSince: at(6, '999999') }, [two, three, one]],
    [{ changedSince: at(7) }, [one]],
    [{ changedSince: at(9) }, []],
    [{ changedSince: at(0), status: 'Pending' }, [two, one]],
    [{ changedSince: at(0), from: at(2) }, [two, three]],
    [{ changedSince: '2020-01-01T00:00:00Z', from: at(2) }, [two, three]],
    [{ changedSince: '2020-01-01T00:00:00Z', to: at(2) }, [two, one]],
    [{ changedSince: at(7), to: at(2) }, [one]],
  ]);
});

test('refuses unknown parameters and a reversed range', async ({ list }) => {
  const allowedParameters = ['page', 'pageSize', 'status', 'changedSince', 'from', 'to', 'include'];
  expect(await list({ vendorId: 'x' })).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
  expect(await list({ from: at(2), to: at(1) })).toMatchObject(
    refusal('VALIDATION_INVALID_DATE', { parameter: 'from' }),
  );
});

test('returns nextChangedSince in microseconds', async ({ gateway, fixture, list }) => {
  const [one, two] = await datedReturns(gateway, fixture, [
    [1, 5],
    [2, 6],
  ]);
  await gateway.sql`
    update return_requests set changed_at = ${at(6, '123456')}::text::timestamptz
    where id = ${two ?? ''}`;
  for (const [changedSince, pageSize, ids, nextChangedSince] of [
    [at(0), '20', [one, two], at(6, '123456')],
    [at(0), '1', [one], at(5)],
    [at(5), '1', [two], at(6, '123456')],
    [at(6, '123456'), '20', [], at(6, '123456')],
  ] as const) {
    const response = await list({ changedSince, pageSize });
    expect(idsOf(response)).toEqual(ids);
    expect(response.details).toEqual({ nextChangedSince });
  }
});

test('lists each change of a return once by changedSince', async ({ fixture, list }) => {
  const other = await fixture.request();
  let mark = '2020-01-01T00:00:00Z';
  const changed = async () => {
    const response = await list({ changedSince: mark });
    mark = String(response.details['nextChangedSince']);
    return idsOf(response);
  };
  expect(await changed()).toEqual([other]);
  const id = await fixture.request();
  const staff = (path: string, body: object = {}) => fixture.staff('POST', `/${id}/${path}`, body);
  expect(await changed()).toEqual([id]);
  for (const change of [
    () => staff('approve'),
    () => staff('in-transit'),
    () => fixture.receive(id),
    () => fixture.addEvidence(id),
    () => staff('start-inspection'),
    () => fixture.propose(id, 'AcceptedSound'),
    () => staff('decide', { outcome: 'Rejected' }),
    () => staff('close'),
  ]) {
    await succeeded(change());
    expect(await changed()).toEqual([id]);
    expect(await changed()).toEqual([]);
  }
  expect((await staff('close')).status).toBe(422);
  expect(await changed()).toEqual([]);
});
