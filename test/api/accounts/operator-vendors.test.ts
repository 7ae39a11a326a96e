import { expect } from 'vitest';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { auditOf } from '../offers/offer-record.ts';
import { fieldErrorsOf, itemsOf, textOf } from '../../support/api/api.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { instant } from '../../support/api/matchers.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { addSubscription } from '../../db/support.ts';
import { delivered } from '../webhooks/webhook-fixture.ts';

const markup = { pricingModel: 'CostPlusMargin', markupPercent: 1 };
const headers = { 'x-request-id': 'req-1' };

test.for([
  [{ pricingModel: 'CostPlusMargin', markupPercent: 12.5 }, 12.5, null],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 0, commissionPercent: null }, 0, null],
  [{ pricingModel: 'PercentageOfSale', commissionPercent: 29.99 }, null, 29.99],
] as const)(
  'stores and audits a vendor with the agreement %j',
  async ([agreement, markupPercent, commissionPercent], { gateway, adminAccount, operate }) => {
    const name = 'Ä Vendor';
    const made = await operate('POST', '/vendors', { name, ...agreement }, headers);
    expect(made.status).toBe(201);
    const { pricingModel } = agreement;
    const form = {
      id: expect.any(String),
      name,
      isActive: true,
      agreement: { pricingModel, markupPercent, commissionPercent },
    };
    expect(made.payload).toStrictEqual(form);
    const id = textOf(made, 'id');
    expect((await operate('GET', `/vendors/${id}`)).payload).toStrictEqual(form);
    expect(await auditOf(gateway.sql, id)).toEqual([
      {
        operatorId: adminAccount.id,
        action: 'vendor.create',
        subjectType: 'vendor',
        requestId: 'req-1',
        before: null,
        after: made.payload,
      },
    ]);
  },
);

test('switches a vendor off and on, and audits both states', async ({ gateway, operate }) => {
  const id = textOf(await operate('POST', '/vendors', { name: 'V', ...markup }), 'id');
  for (const isActive of [false, true]) {
    const switched = await operate('PATCH', `/vendors/${id.toUpperCase()}/active`, { isActive });
    expect(switched).toMatchObject({ status: 200, payload: { id, isActive } });
    expect((await operate('GET', `/vendors/${id}`)).payload).toMatchObject({ isActive });
  }
  const [on, off] = [{ isActive: true }, { isActive: false }];
  expect((await auditOf(gateway.sql, id)).slice(1)).toMatchObject([
    { action: 'vendor.active', before: on, after: off },
    { action: 'vendor.active', before: off, after: on },
  ]);
  const wrong = await operate('PATCH', `/vendors/${id}/active`, { isActive: 'no' });
  expect(fieldErrorsOf(wrong)).toEqual(['IsActive invalid_type']);
});

test('lists the newest vendor first, in pages', async ({ operate }) => {
  for (const name of ['First of two', 'Second of two'])
    await operate('POST', '/vendors', { name, ...markup });
  const listed = await operate('GET', '/vendors?pageSize=2');
  expect(listed.payload).toMatchObject({
    items: [{ name: 'Second of two' }, { name: 'First of two' }],
    pagination: { page: 1, pageSize: 2 },
  });
});

test('finds a vendor by a part of its name, in any letter case', async ({ operate }) => {
  for (const name of ['Café Łódź', 'Rose & Oud 100%', 'ROSE_OUD', 'عطور الورد'])
    await operate('POST', '/vendors', { name, ...markup });
  for (const [q, ...names] of [
    ['rose', 'ROSE_OUD', 'Rose & Oud 100%'],
    ['%', 'Rose & Oud 100%'],
    ['_', 'ROSE_OUD'],
    ['الورد', 'عطور الورد'],
    ['للوَرد', 'عطور الورد'],
    ['\u200fعطور\u00a0 ورد', 'عطور الورد'],
    ['cafe', 'Café Łódź'],
    ['é lodz', 'Café Łódź'],
    ['١٠٠', 'Rose & Oud 100%'],
    ['\u200f'],
    ['no such name'],
  ] as const) {
    const found = await operate('GET', `/vendors?q=${encodeURIComponent(q)}`);
    expect(itemsOf(found).map(({ name }) => name)).toEqual(names);
  }
});

test('summarises offers, decisions, reasons and subscriptions', async ({ gateway, operate }) => {
  const offers = await newOfferFixture(gateway);
  const { vendorId } = offers.vendor;
  await offers.offerIn('Approved');
  await offers.offerIn('Draft');
  const rejected = await offers.offerIn('Rejected');
  const id = await addSubscription(gateway.sql, vendorId, ['vendor.order.assigned']);
  await delivered(gateway.sql, vendorId, id, 'deadLettered');
  const read = async () => {
    const { payload } = await operate('GET', `/vendors/${vendorId.toUpperCase()}/summary`);
    const { offers: counts, ...rest } = payload as { offers: { status: string; count: number }[] };
    return { ...rest, counts: Object.fromEntries(counts.map((each) => [each.status, each.count])) };
  };
  const { counts, ...rest } = await read();
  const none = Object.fromEntries(offerStatuses.map((status) => [status, 0]));
  expect(counts).toEqual({ ...none, Approved: 1, Draft: 1, Rejected: 1 });
  expect(rest).toMatchObject({
    decisions: { since: instant, approved: 1, rejected: 1, pricesApplied: 0, pricesDiscarded: 0 },
    latestRejections: [{ offerId: rejected, reason: expect.stringMatching(/./), at: instant }],
    subscriptions: { active: 1, inactive: 0, failing: 1, failingSince: instant, unrecovered: 1 },
  });
  // A switch that is under way counts as stored.
  await offers.switchAgreement(percentageOfSale);
  const switched = { ...none, Draft: 1, PendingRepricing: 1, Rejected: 1 };
  expect((await read()).counts).toEqual(switched);
});
