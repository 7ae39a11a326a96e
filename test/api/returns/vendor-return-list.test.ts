import { expect } from 'vitest';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { itemsOf, refusal, type Answer, type Gateway } from '../../support/api/api.ts';
import { newReturnFixture, succeeded, type ReturnFixture } from './return-fixture.ts';

// The forms of query parameters have their cases in `test/api/validation/query.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));
const list = ({ send }: ReturnFixture, query: Record<string, string> = {}) =>
  send('GET', `?${new URLSearchParams(query).toString()}`);

const at = (minute: number, micros = '000000') =>
  `2026-03-01T10:${String(minute).padStart(2, '0')}:00.${micros}Z`;

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

/** Expects the ids that each query lists, in order, and their number as the total. */
async function expectLists(
  fixture: ReturnFixture,
  cases: readonly (readonly [Record<string, string>, readonly (string | undefined)[]])[],
) {
  for (const [query, ids] of cases) {
    const answer = await list(fixture, query);
    expect(idsOf(answer), JSON.stringify(query)).toEqual(ids);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
}

test('lists the newest first, then the later id, page by page', async ({ gateway, fixture }) => {
  const minutes = [1, 2, 2, 0, 3].map((minute) => [minute, 9 - minute] as const);
  const [one, two, three, oldest, newest] = await datedReturns(gateway, fixture, minutes);
  const page = (number: number) => list(fixture, { page: String(number), pageSize: '2' });
  const pages = [await page(1), await page(2), await page(3), await page(4)];
  expect(pages.flatMap(idsOf)).toEqual([newest, three, two, one, oldest]);
  for (const [index, { payload, details }] of pages.entries()) {
    expect(details).toEqual({});
    const pagination = { page: index + 1, pageSize: 2, totalCount: 5, totalPages: 3 };
    expect(payload?.['pagination']).toStrictEqual(pagination);
  }
});

test('filters by status, time of request and change time', async ({ gateway, fixture }) => {
  const [one, two] = await datedReturns(gateway, fixture, [
    [1, 9],
    [2, 7],
  ]);
  const received = await datedReturns(gateway, fixture, [[3, 7]], 'Received');
  const three = received[0];
  await expectLists(fixture, [
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
    [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
    // Strictly after, by change time and then by id.
    [{ changedSince: at(6, '999999') }, [two, three, one]],
    [{ changedSince: at(7) }, [one]],
    [{ changedSince: '2026-03-01T13:07:00+03:00' }, [one]],
    [{ changedSince: at(9) }, []],
    [{ changedSince: at(0), status: 'Pending' }, [two, one]],
    [{ changedSince: at(0), from: at(2) }, [two, three]],
    [{ changedSince: at(7), to: at(2) }, [one]],
  ]);
});

test('accepts its parameters only, and no reversed range', async ({ fixture }) => {
  const allowedParameters = ['page', 'pageSize', 'status', 'changedSince', 'from', 'to', 'include'];
  expect(await list(fixture, { vendorId: 'x' })).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
  expect(await list(fixture, { from: at(2), to: at(1) })).toMatchObject(
    refusal('VALIDATION_INVALID_DATE', { parameter: 'from' }),
  );
});

test('answers nextChangedSince in microseconds', async ({ gateway, fixture }) => {
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
    const answer = await list(fixture, { changedSince, pageSize });
    expect(idsOf(answer)).toEqual(ids);
    expect(answer.details).toEqual({ nextChangedSince });
  }
});

test('lists each change of a return once by changedSince', async ({ fixture }) => {
  const other = await fixture.request();
  let mark = '2020-01-01T00:00:00Z';
  const changed = async () => {
    const answer = await list(fixture, { changedSince: mark });
    mark = String(answer.details['nextChangedSince']);
    return idsOf(answer);
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
