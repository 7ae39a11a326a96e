import { expect, vi } from 'vitest';
import { unknownId } from '../../support/api/api.ts';
import { consoleTest as test } from '../console-fixture.ts';
// An id in an address or in a form leads to no other route of the API (D139).

const hostileIds = [
  '..',
  '../../doctor',
  '..%2Fdoctor',
  '%2e%2e/doctor',
  '..\\doctor',
  `${unknownId()}/summary`,
  `${unknownId()}?pageSize=1`,
  `${unknownId()}#`,
  `${unknownId()}\n`,
  'doctor',
  '.',
  ' ',
];

/** A fixed name of a route, or an id. */
const part = String.raw`/(?:[a-z]+(?:-[a-z]+)*|(?:ord_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})`;
const plainPath = new RegExp(`^/operator/v1(?:${part})+$`);
const ofPages = ['offers', 'vendors', 'orders', 'returns', 'catalogue', 'review-jobs'];

/** The paths that the pages have called in the API since the spy began. */
const calledPaths = ({ mock }: { readonly mock: { readonly calls: readonly unknown[][] } }) =>
  mock.calls.flatMap(([call]) => {
    const { url } = call as { readonly url: string };
    return url.startsWith('/operator/') ? [url.split('?')[0] ?? ''] : [];
  });

const addressesOf = (id: string): readonly string[] => {
  const encoded = encodeURIComponent(id);
  const query = new URLSearchParams({ id, offer: id, variant: id, vendorId: id }).toString();
  return [
    ...[...ofPages, 'webhooks/deliveries'].map((page) => `/console/${page}/${encoded}`),
    ...['offers', 'orders', 'webhooks', 'webhooks/deliveries'].map(
      (page) => `/console/${page}?vendorId=${encoded}`,
    ),
    `/console/webhooks/deliveries?subscriptionId=${encoded}&eventId=${encoded}`,
    `/console/orders?orderGlobalId=${encoded}`,
    `/console/audit?subjectId=${encoded}`,
    `/console/stuck?run=true&check=${encoded}`,
    `/console/offers/many?${query}`,
    `/console/offers/next?${query}`,
    `/console/offers/${unknownId()}?${query}`,
  ];
};

test.for(hostileIds)('calls no other route for the id %j', async (id, { gateway, admin }) => {
  const spy = vi.spyOn(gateway.app, 'inject');
  for (const address of addressesOf(id)) {
    const { statusCode } = await admin.open(address);
    expect([200, 303, 400, 404], address).toContain(statusCode);
  }
  const form = {
    id,
    groupId: id,
    credential: id,
    job: id,
    vendorId: id,
    subscriptionId: id,
    check: id,
  };
  for (const path of [
    'operators',
    `orders/ord_${unknownId()}/assign`,
    `orders/ord_${unknownId()}/move`,
    `vendors/${unknownId()}/credential`,
    `vendors/${unknownId()}/cancel-job`,
    'webhooks/recover',
    'stuck',
    ...ofPages.map((page) => `${page}/${encodeURIComponent(id)}/active`),
  ]) {
    const { statusCode } = await admin.submit(`/console/${path}`, { ...form, act: 'active' });
    // A blank names no check, so that all of them run.
    expect(path === 'stuck' ? [200, 400] : [400, 404], path).toContain(statusCode);
  }
  const paths = calledPaths(spy);
  spy.mockRestore();
  expect(paths.filter((path) => !plainPath.test(path))).toEqual([]);
  // Only the form of the page itself asks the doctor.
  expect(paths.filter((path) => path.endsWith('/doctor'))).toHaveLength(1);
  expect(paths.filter((path) => path.endsWith('/summary'))).toEqual([]);
});

test.for(ofPages)('has no page %s for an id that is none', async (page, { admin }) => {
  for (const id of hostileIds.map(encodeURIComponent))
    if (id !== '.' && id !== '..')
      expect((await admin.open(`/console/${page}/${id}`)).statusCode).toBe(404);
});
