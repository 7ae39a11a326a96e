import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { newParties, submitOffer } from '../../api/offers/offer-record.ts';
import { unknownId } from '../../support/api/api.ts';
import { consoleTest } from '../console-fixture.ts';
// What pages say of more offers than the API counts, and of more vendors than a choice has.

type Answer = {
  payload: { pagination: { totalCount: number; totalPages: number } };
  details: { totalIsLowerBound?: true; facets?: { vendor: object[] } };
};

const test = consoleTest
  /** Changes what the API answers for the queue. */
  .extend(
    'changeQueue',
    ({ intercept }) =>
      (change: (answer: Answer) => void) =>
        intercept(async (options, call) => {
          const response = await call();
          if (!(options.url as string).startsWith('/operator/v1/offers?')) return response;
          const body = response.json<Answer>();
          change(body);
          return Object.assign(Object.create(response) as LightMyRequestResponse, {
            json: () => body,
          });
        }),
  )
  .extend('parties', ({ gateway }) => newParties(gateway));

test('says on each page of the queue that more than 10,000 offers wait', async ({
  reviewer,
  parties,
  changeQueue,
}) => {
  const id = await submitOffer(parties);
  changeQueue(({ payload: { pagination }, details }) => {
    pagination.totalCount = 10_000;
    pagination.totalPages = 200;
    details.totalIsLowerBound = true;
  });
  const query = `vendorId=${parties.vendor.vendorId}`;
  const queue = await reviewer.read(`/console/offers?${query}`);
  expect(queue).toContain('Preview the first 10000 of more than 10,000…');
  expect(queue).toMatch(/<h1>Review queue\s*<span class="muted">more than 10,000</);
  expect(await reviewer.read(`/console/offers/${id}?${query}&at=1`)).toContain(
    '1 of more than 10,000',
  );
});

test('finds a vendor of the queue by a search if the filter has not all of them', async ({
  reviewer,
  parties,
  changeQueue,
}) => {
  const { vendorId } = parties.vendor;
  await submitOffer(parties);
  // A vendor without a waiting offer has its name too.
  const none = await newNamed(parties);
  expect(await reviewer.read(`/console/offers?vendorId=${none.id}`)).toContain(
    `>${none.name}</option>`,
  );
  expect(await reviewer.read('/console/offers')).not.toContain('name="vendorName"');
  changeQueue(({ details }) => {
    if (details.facets)
      details.facets.vendor = Array.from({ length: 100 }, () => ({
        value: unknownId(),
        name: 'Other',
        count: 1,
      }));
  });
  const page = await reviewer.read(`/console/offers?vendorName=${encodeURIComponent(none.name)}`);
  expect(page).toContain('name="vendorName"');
  expect(page).toContain(`value="${none.id}"`);
  expect(page).not.toContain(`<option value="${vendorId}"`);
});

test('lets choose each vendor in the queue if the filter is counted in part', async ({
  reviewer,
  parties,
  changeQueue,
}) => {
  const { id } = await newNamed(parties);
  const choice = `<option value="${id}"`;
  expect(await reviewer.read('/console/offers?text=Brand')).not.toContain(choice);
  changeQueue(({ details }) => {
    details.totalIsLowerBound = true;
  });
  expect(await reviewer.read('/console/offers?text=Brand')).toContain(choice);
});

async function newNamed({ by }: Awaited<ReturnType<typeof newParties>>) {
  const name = `Souq ${unknownId()}`;
  const body = { name, pricingModel: 'CostPlusMargin', markupPercent: 20 };
  const { payload } = await by('Admin', 'POST', '/vendors', body);
  return { id: String(payload?.['id']), name };
}
