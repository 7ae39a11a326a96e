import { expect } from 'vitest';
import { newOfferFixture } from '../offer-fixture.ts';
import { refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { list, listedIds, at, datedOffers } from './vendor-offer-reads-fixture.ts';

test('changedSince is strictly after, and sorts by change time and then by id', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const [one, two, three, four] = await datedOffers(gateway, fixture, [
    [1, 9],
    [2, 7],
    [3, 7],
    [4, 5],
  ]);
  const since = (changedSince: string) => listedIds(fixture, { changedSince });
  expect(await since(at(0))).toEqual([four, two, three, one]);
  expect(await since(at(5))).toEqual([two, three, one]);
  expect(await since(at(4, '999999'))).toEqual([four, two, three, one]);
  expect(await since(at(7))).toEqual([one]);
  expect(await since(at(9))).toEqual([]);
  expect(await since('2026-03-01T13:07:00+03:00')).toEqual([one]);
  expect(await since('2026-03-01T05:07:00-05:00')).toEqual([one]);
  expect(await since('2026-03-01t10:07:00z')).toEqual([one]);
  const pages = ['1', '2'].map((page) =>
    listedIds(fixture, { changedSince: at(0), page, pageSize: '3' }),
  );
  expect((await Promise.all(pages)).flat()).toEqual([four, two, three, one]);
});

test('microseconds count, in every date', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const [one, two] = await datedOffers(gateway, fixture, [
    [1, 7],
    [2, 8],
  ]);
  await gateway.sql`
    update offers set change_time = ${at(7, '000001')}::text::timestamptz,
      created_at = ${at(1, '000001')}::text::timestamptz
    where id = ${one ?? ''}`;
  const cases: readonly (readonly [Record<string, string>, readonly (string | undefined)[]])[] = [
    [{ changedSince: at(7) }, [one, two]],
    [{ changedSince: at(7, '000000999') }, [one, two]],
    [{ changedSince: at(7, '000001') }, [two]],
    [{ from: at(1, '000001') }, [two, one]],
    [{ from: at(1, '000002') }, [two]],
    [{ to: at(1, '000001') }, [one]],
    [{ to: at(1) }, []],
  ];
  for (const [query, ids] of cases) {
    expect(await listedIds(fixture, query), JSON.stringify(query)).toEqual(ids);
  }
});

test('changedSince finds what any change has touched since, and nothing else', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const ids = [await fixture.create(), await fixture.create(), await fixture.offerIn('Draft')];
  const [edited = '', stocked = '', submitted = ''] = ids;
  const still = await fixture.offerIn('Approved');
  const [row] = await gateway.sql<
    [{ last: Date }]
  >`select max(change_time) + interval '1 millisecond' as last from offers`;
  const changedSince = row.last.toISOString();
  expect(await listedIds(fixture, { changedSince })).toEqual([]);
  await fixture.patch(edited, { vendorSku: 'S' });
  await fixture.send('PATCH', `/${stocked}/stock`, { declaredInStock: true });
  await fixture.send('POST', `/${submitted}/submit`);
  // No change at all.
  await fixture.patch(still, {});
  await fixture.send('PATCH', `/${still}/cost`, { cost: 100, costIsVatInclusive: false });
  expect(new Set(await listedIds(fixture, { changedSince }))).toEqual(new Set(ids));
});

test('from and to are times of creation, both of them included', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const [one, two, three] = await datedOffers(gateway, fixture, [
    [1, 9],
    [2, 8],
    [3, 7],
  ]);
  const cases: readonly (readonly [Record<string, string>, readonly (string | undefined)[]])[] = [
    [{ from: at(2) }, [three, two]],
    [{ to: at(2) }, [two, one]],
    [{ to: at(1, '999999') }, [one]],
    [{ from: at(2), to: at(2) }, [two]],
    [{ from: at(1), to: at(3) }, [three, two, one]],
    [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
    [{ from: at(4) }, []],
    [{ from: at(1), to: at(2), changedSince: at(8) }, [one]],
    [{ from: at(1), changedSince: at(6) }, [three, two, one]],
    [{ from: at(2), status: 'PendingReview' }, [three, two]],
    [{ from: at(2), status: 'Approved' }, []],
  ];
  for (const [query, ids] of cases) {
    expect(await listedIds(fixture, query), JSON.stringify(query)).toEqual(ids);
  }
});

test('a range that ends before it starts, by its instants, is refused', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const range = (from: string, to: string) =>
    list(fixture, `?${new URLSearchParams({ from, to }).toString()}`);
  expect(await range('2026-03-01T10:00:00-01:00', '2026-03-01T10:30:00Z')).toMatchObject(
    refusal('VALIDATION_INVALID_DATE', { parameter: 'from' }),
  );
  expect((await range('2026-03-01T10:30:00+01:00', '2026-03-01T10:00:00Z')).status).toBe(200);
});
