import { describe, expect } from 'vitest';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import { newReturnFixture, succeeded, type ReturnFixture } from './return-fixture.ts';
import { help, itemsOf, refusal, type Answer, type Gateway } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

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

/** Each query with the ids that it answers, in order; the total is their number. */
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

describe('order and pages', () => {
  test('the newest request comes first, of one instant the later id, page by page', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two, three, oldest, newest] = await datedReturns(gateway, fixture, [
      [1, 9],
      [2, 8],
      [2, 7],
      [0, 6],
      [3, 5],
    ]);
    const page = (number: number) => list(fixture, { page: String(number), pageSize: '2' });
    const pages = [await page(1), await page(2), await page(3)];
    expect(pages.flatMap(idsOf)).toEqual([newest, three, two, one, oldest]);
    for (const [index, { payload, details }] of pages.entries()) {
      expect(details).toEqual({});
      expect(payload?.['pagination']).toStrictEqual({
        page: index + 1,
        pageSize: 2,
        totalCount: 5,
        totalPages: 3,
      });
    }
    expect((await page(4)).payload).toMatchObject({ items: [], pagination: { totalCount: 5 } });
  });

  test('status filters exactly, alone and with times', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two] = await datedReturns(gateway, fixture, [
      [1, 1],
      [2, 2],
    ]);
    const [three] = await datedReturns(gateway, fixture, [[3, 3]], 'Received');
    await expectLists(fixture, [
      [{ status: 'Pending' }, [two, one]],
      [{ status: 'Received' }, [three]],
      [{ status: 'Closed' }, []],
      [{ status: 'Pending', from: at(2) }, [two]],
      [{ status: 'Pending', changedSince: at(1) }, [two]],
      [{ status: 'Received', to: at(2) }, []],
    ]);
    await succeeded(fixture.staff('POST', `/${one ?? ''}/withdraw`, {}));
    await expectLists(fixture, [
      [{ status: 'Pending' }, [two]],
      [{ status: 'Withdrawn' }, [one]],
      [{}, [three, two, one]],
    ]);
  });

  test.for(['pending', 'Shipped', '', 'Pending,Approved'])(
    'the status %j is refused with the eleven that there are',
    async (status, { gateway }) => {
      const fixture = await newReturnFixture(gateway);
      const details = { parameter: 'status', allowedValues: [...returnStatuses] };
      expect(returnStatuses).toHaveLength(11);
      expect(await list(fixture, { status })).toMatchObject(
        refusal('VALIDATION_INVALID_QUERY_PARAMETER', details),
      );
      expect(await fixture.send('GET', '?status=Pending&status=Pending')).toMatchObject(
        refusal('VALIDATION_INVALID_QUERY_PARAMETER', details),
      );
    },
  );

  test('unknown parameters are refused with those that there are', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const allowedParameters = [
      'page',
      'pageSize',
      'status',
      'changedSince',
      'from',
      'to',
      'include',
    ];
    for (const name of ['vendorId', 'Status', 'requiresStaffReview', 'sort', 'changedsince']) {
      const answer = await list(fixture, { [name]: 'x' });
      expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER' });
      expect(answer.details).toEqual({
        parameters: [name],
        allowedParameters,
        ...help(answer.state),
      });
    }
  });

  test('page and page size have their own codes', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    for (const page of ['0', '-1', '1.0', '+1', '', 'x', '1e1']) {
      expect((await list(fixture, { page })).state).toBe('VALIDATION_INVALID_PAGE');
    }
    for (const pageSize of ['0', '101', '1.0', '', 'x']) {
      expect((await list(fixture, { pageSize })).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
    }
  });
});

describe('from and to', () => {
  test('are times of the request, both of them included', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two, three] = await datedReturns(gateway, fixture, [
      [1, 9],
      [2, 8],
      [3, 7],
    ]);
    await expectLists(fixture, [
      [{ from: at(1) }, [three, two, one]],
      [{ from: at(1, '000001') }, [three, two]],
      [{ from: at(3) }, [three]],
      [{ from: at(3, '000001') }, []],
      [{ to: at(3) }, [three, two, one]],
      [{ to: at(2, '999999') }, [two, one]],
      [{ to: at(1) }, [one]],
      [{ to: at(0, '999999') }, []],
      [{ from: at(2), to: at(2) }, [two]],
      [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
      [{ from: at(1), to: at(2), changedSince: at(8) }, [one]],
      [{ from: at(1), changedSince: at(6) }, [three, two, one]],
    ]);
  });

  test('that end before they start are VALIDATION_INVALID_DATE, by instant, not by text', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    for (const [from, to] of [
      [at(2), at(1)],
      [at(1, '000001'), at(1)],
      ['2026-03-01T10:00:00-01:00', '2026-03-01T10:30:00Z'],
    ] as const) {
      const refused = refusal('VALIDATION_INVALID_DATE', { parameter: 'from' });
      expect(await list(fixture, { from, to })).toMatchObject(refused);
    }
    for (const [from, to] of [
      [at(1), at(1)],
      ['2026-03-01T10:30:00+01:00', '2026-03-01T10:00:00Z'],
    ] as const) {
      expect((await list(fixture, { from, to })).status).toBe(200);
    }
  });

  test.for(['', 'now', '2026-03-01', '2026-03-01T10:00:00', '2026-02-30T10:00:00Z', '1767225600'])(
    'the date %j is VALIDATION_INVALID_DATE in every date parameter',
    async (value, { gateway }) => {
      const fixture = await newReturnFixture(gateway);
      for (const parameter of ['changedSince', 'from', 'to']) {
        const answer = await list(fixture, { [parameter]: value });
        expect(answer).toMatchObject(refusal('VALIDATION_INVALID_DATE', { parameter }));
      }
    },
  );
});

describe('changedSince', () => {
  test('is strictly after, and sorts by change time and then by id', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two, three, four] = await datedReturns(gateway, fixture, [
      [1, 9],
      [2, 7],
      [3, 7],
      [4, 5],
    ]);
    await expectLists(fixture, [
      [{ changedSince: at(0) }, [four, two, three, one]],
      [{ changedSince: at(5) }, [two, three, one]],
      [{ changedSince: at(4, '999999') }, [four, two, three, one]],
      [{ changedSince: at(7) }, [one]],
      [{ changedSince: at(9) }, []],
      [{ changedSince: '2026-03-01T13:07:00+03:00' }, [one]],
    ]);
  });

  test('answers the next watermark: the page’s highest, in microseconds, or that asked', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two] = await datedReturns(gateway, fixture, [
      [1, 5],
      [2, 6],
    ]);
    await gateway.sql`
      update return_requests set changed_at = ${at(6, '123456')}::text::timestamptz
      where id = ${two ?? ''}`;
    const since = (changedSince: string, pageSize = '20') =>
      list(fixture, { changedSince, pageSize });
    expect((await since(at(0))).details).toEqual({ nextChangedSince: at(6, '123456') });
    const first = await since(at(0), '1');
    expect(idsOf(first)).toEqual([one]);
    expect(first.details).toEqual({ nextChangedSince: at(5) });
    expect(idsOf(await since(at(5), '1'))).toEqual([two]);
    const last = await since(at(6, '123456'));
    expect(idsOf(last)).toEqual([]);
    expect(last.details).toEqual({ nextChangedSince: at(6, '123456') });
    expect((await list(fixture)).details).toEqual({});
  });

  test('tells once of every request, move, piece of evidence and proposal, by whomever', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const other = await fixture.request();
    let mark = '2020-01-01T00:00:00Z';
    const changed = async () => {
      const answer = await list(fixture, { changedSince: mark });
      mark = String(answer.details['nextChangedSince']);
      return idsOf(answer);
    };
    expect(await changed()).toEqual([other]);
    const id = await fixture.request();
    const staff = (path: string, body: object = {}) =>
      fixture.staff('POST', `/${id}/${path}`, body);
    expect(await changed()).toEqual([id]);
    for (const change of [
      () => staff('approve'),
      () => staff('in-transit'),
      () => fixture.receive(id),
      () => fixture.addEvidence(id),
      () => staff('start-inspection'),
      () => fixture.propose(id, 'AcceptedSound'),
      () => fixture.propose(id, 'Rejected'),
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
});
