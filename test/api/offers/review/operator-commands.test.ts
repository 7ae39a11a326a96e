import { expect, vi } from 'vitest';
import { createReviewActivities } from '../../../../activities/offer-review.ts';
import { ok } from '../../../../domain/errors.ts';
import type { Decisions } from '../../../../temporal/decisions.ts';
import { newOperator, newVariant } from '../../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  gatewayOver,
  refusal,
  succeeded,
  unknownId,
  type ApiResponse,
  type Gateway,
} from '../../../support/api/api.ts';
import { holdLock } from '../../../support/database/locks.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { ask } from '../../error-codes/http.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import {
  approvedOffer,
  auditOf,
  everythingOf,
  newParties,
  optionOf,
  rowOf,
  submitOffer,
  type Parties,
} from '../offer-record.ts';
import { models, stagedOffer } from './review-fixture.ts';

// What each command of operators on an offer returns and stores. Which status allows which command
// has its cases in the grid of `test/domain/offers/model`.

const named = { vendorExternalId: 'k', vendorSku: 's', declaredStockQuantity: 3 };
type Made = { readonly parties: Parties; readonly id: string };
const submitted =
  (given: object, agreement?: Parameters<typeof newParties>[1]) =>
  async (gateway: Gateway): Promise<Made> => {
    const parties = await newParties(gateway, agreement);
    return { parties, id: await submitOffer(parties, { ...named, ...given }) };
  };
const draft = submitted({ saveAsDraft: true });
const inReview = submitted({});
const unpriced = submitted({}, models[1].agreement);
const approved = async (gateway: Gateway): Promise<Made> => {
  const parties = await newParties(gateway);
  return { parties, id: await approvedOffer(parties, named) };
};
const suspended = async (gateway: Gateway): Promise<Made> => {
  const made = await approved(gateway);
  succeeded(await send(made, 'suspend', { reason: 'Recall.' }));
  return made;
};
const staged = (gateway: Gateway): Promise<Made> =>
  stagedOffer(gateway, { ...models[0], given: named });

const send = ({ parties, id }: Made, path: string, body?: unknown) =>
  parties.by('Reviewer', 'POST', `/offers/${id}/${path}`, body);
const read = async ({ parties, id }: Made) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload ?? {};

type Change = (made: Made) => Promise<ApiResponse>;
const agreed =
  (body: object): Change =>
  ({ parties }) =>
    parties.by('Admin', 'PATCH', `/vendors/${parties.vendor.vendorId}/agreement`, body);
const toPercentage = agreed({ pricingModel: 'PercentageOfSale', commissionPercent: 15 });
const suspendedAndSwitched = async (gateway: Gateway): Promise<Made> => {
  const made = await suspended(gateway);
  succeeded(await toPercentage(made));
  return made;
};

const apply = 'pending-price/apply';
const discard = 'pending-price/discard';
const back = 'return-to-review';
const returned = 'ReturnedToReview';
/** The longest one. */
const longest = '😀'.repeat(4000);
const net = { netHalalas: 10_000, stagedNetHalalas: null };
const stagedNet = { netHalalas: 10_000, stagedNetHalalas: 86_957 };
const appliedNet = { netHalalas: 86_957, stagedNetHalalas: null };

type Row = readonly [
  path: string,
  action: string,
  /** From the status before to the one after. */
  way: string,
  make: (gateway: Gateway) => Promise<Made>,
  /** The decision that the vendor's event names. */
  event: string | null,
  isPaused: boolean | undefined,
];

test.for<Row>([
  ['approve', 'approve', 'PendingReview > Approved', inReview, 'Approved', false],
  ['reject', 'reject', 'Draft > Rejected', draft, 'Rejected', undefined],
  // By both moves (D134).
  [back, 'returnToReview', 'Approved > Suspended > PendingReview', approved, returned, true],
  [back, 'returnToReview', 'Suspended > PendingReview', suspended, returned, true],
  ['suspend', 'suspend', 'Approved > Suspended', approved, null, true],
  ['reinstate', 'reinstate', 'Suspended > Approved', suspended, null, false],
  [apply, 'applyPrice', 'Approved', staged, 'PriceApplied', false],
  [discard, 'discardPrice', 'Approved', staged, 'PriceDiscarded', false],
])('audits %s as %s, and makes the moves %s once', async (row, { gateway }) => {
  const [path, action, way, make, event, isPaused] = row;
  const { sql } = gateway;
  const made = await make(gateway);
  const { parties, id } = made;
  const operatorId = parties.operators.Reviewer.id;
  // The reviewer of an earlier command is not taken for the reviewer of this command.
  await sql`update offers set reviewed_by = null where id = ${id}`;
  const before = await everythingOf(sql, id);
  const version = Number(before.row?.['version']);
  const reason = path === 'approve' ? null : longest;
  const response = await send(made, path, reason === null ? {} : { reason });
  const steps = way.split(' > ');
  const [from, status] = [steps[0], steps.at(-1)];
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toMatchObject({
    id,
    status,
    version: version + 1,
    awaitingDecision: status === 'PendingReview',
    review: { reviewedAt: expect.any(String), reason },
  });
  const after = await everythingOf(sql, id);
  const supply = isPaused === undefined ? null : expect.objectContaining({ isPaused });
  expect(await read(made)).toMatchObject({ ...response.payload, supply });
  expect(after.option?.isPaused).toBe(isPaused);
  expect(after.row).toMatchObject({ reviewedBy: operatorId });
  expect(after.statusChanges.slice(before.statusChanges.length)).toMatchObject(
    steps.slice(1).map((toStatus, index) => ({ fromStatus: steps[index], toStatus, reason })),
  );
  // What takes the decision back (D162).
  const undo = ['reject', apply, discard].includes(path) && { undo: expect.any(Object) };
  const waited = ['approve', apply, discard].includes(path) && { waitedMs: expect.any(Number) };
  const prices = { [apply]: [stagedNet, appliedNet], [discard]: [stagedNet, net] }[path];
  const [netBefore, netAfter] = prices ?? [net, net];
  const variantId = parties.variant.id;
  expect(after.audit.slice(before.audit.length)).toEqual([
    {
      operatorId,
      action: `offer.${action}`,
      subjectType: 'offer',
      requestId: 'req-7',
      before: { variantId, ...netBefore, status: from, version },
      after: { variantId, ...netAfter, status, version: version + 1, reason, ...undo, ...waited },
    },
  ]);
  const shown = { offerId: id, vendorExternalId: 'k', vendorSku: 's', status, reason };
  expect(after.events.slice(before.events.length)).toStrictEqual(
    event === null ? [] : [{ ...shown, decision: event, reviewedAt: expect.stringMatching(/Z$/) }],
  );
  // The review's run makes the decision, and needs no message about it.
  expect(after.messages).toEqual(before.messages);
  const seen = succeeded(await parties.byVendor('GET', `/${id}?include=history`));
  expect(seen.payload).toMatchObject({ status, review: { reason } });
  expect(seen.text).not.toContain(operatorId);
  const again =
    steps.length === 1
      ? refusal('BUSINESS_OFFER_NO_PENDING_PRICE')
      : refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });
  expect(await send(made, path, reason === null ? {} : { reason })).toMatchObject(again);
  expect(await everythingOf(sql, id)).toEqual(after);
});

test.for<readonly [string, Row[3], object]>([
  ['reject', inReview, { reason: 'No.' }],
  [apply, staged, {}],
  [discard, staged, {}],
])(
  'takes %s back once, tells the vendor, and names the prices (D162)',
  async (row, { gateway }) => {
    const [path, make, body] = row;
    const { sql } = gateway;
    const made = await make(gateway);
    const before = await everythingOf(sql, made.id);
    const shownBefore = await read(made);
    expect(shownBefore['undo']).toBeNull();
    succeeded(await send(made, path, body));
    const decided = await read(made);
    const action = { [apply]: 'applyPrice', [discard]: 'discardPrice' }[path] ?? path;
    expect(decided['undo']).toEqual({ action, until: expect.stringMatching(/Z$/) });
    const response = succeeded(await send(made, 'undo'));
    const { status, awaitingSince } = shownBefore;
    expect(response.payload).toMatchObject({ status, awaitingSince });
    const shown = await read(made);
    for (const name of ['status', 'awaitingSince', 'pricing', 'kind', 'product'])
      expect(shown).toMatchObject({ [name]: shownBefore[name] });
    const after = await everythingOf(sql, made.id);
    expect(after.option).toEqual(before.option);
    expect(after.events.at(-1)).toMatchObject({
      decision: 'ReturnedToReview',
      status,
      reason: null,
    });
    expect(after.audit.at(-1)).toMatchObject({ action: 'offer.undo', after: { status } });
    const net = expect.objectContaining({ action: 'offer.undo', netAfter: 100 });
    expect(shown['history']).toMatchObject({ decisions: expect.arrayContaining([net]) });
    expect(shown['undo']).toBeNull();
    expect(await send(made, 'undo')).toMatchObject(
      refusal('BUSINESS_OFFER_DECISION_NOT_UNDOABLE', { reason: 'NOTHING_TO_UNDO' }),
    );
  },
);

const refused = (reason: string) => refusal('BUSINESS_OFFER_DECISION_NOT_UNDOABLE', { reason });

test('takes nothing back after DECISION_UNDO_MS, or after the vendor staged another price', async ({
  gateway,
}) => {
  const made = await staged(gateway);
  succeeded(await send(made, discard));
  const { app } = await gatewayOver(gateway.sql, { decisionUndoMs: 0 });
  const late = await call({ ...gateway, app }, 'POST', `/operator/v1/offers/${made.id}/undo`, {
    ...made.parties.operators.Reviewer,
    body: { expectedVersion: (await read(made))['reviewVersion'] },
  });
  expect(late).toMatchObject(refused('TIME_OVER'));
  succeeded(
    await made.parties.byVendor('PATCH', `/${made.id}/cost`, {
      cost: 70,
      costIsVatInclusive: false,
    }),
  );
  expect(await send(made, 'undo')).toMatchObject(refused('OTHER_PRICE_STAGED'));
});

test('approves with the named match and its barcode, and sells at the agreed markup', async ({
  gateway,
}) => {
  const made = await submitted({ variantId: null })(gateway);
  const { id: variantId } = await newVariant(gateway, { barcode: '036000291452' });
  const approval = { variantId: variantId.toUpperCase(), expectedVersion: 1 };
  const response = await send(made, 'approve', approval);
  expect(response.payload).toMatchObject({ product: { variantId, barcode: '036000291452' } });
  const { option, row } = await everythingOf(gateway.sql, made.id);
  expect(row).toMatchObject({ everApproved: true });
  const stock = { stockQuantity: 3, inStock: true };
  const sold = { variantId, net: 10_000, sellNet: 12_000, payoutNet: 10_000, ...stock };
  expect(option).toMatchObject(sold);
  expect(response.payload).toMatchObject({ supplyOptionId: option?.id });
});

test('approves a returned offer with another match, or rejects it (D134)', async ({ gateway }) => {
  const { id: variantId } = await newVariant(gateway);
  for (const [path, body, status, option] of [
    ['approve', { variantId }, 'Approved', { variantId, isPaused: false }],
    ['reject', { reason: 'No.' }, 'Rejected', { isPaused: true }],
  ] as const) {
    const made = await approved(gateway);
    succeeded(await send(made, back, { reason: 'The match is wrong.' }));
    expect(await send(made, path, body)).toMatchObject({ status: 200, payload: { status } });
    expect(await optionOf(gateway.sql, made.id)).toMatchObject(option);
  }
});

// 109,999,999.89 is above an int4 of halalas.
test('approves the highest cost under the highest markup', async ({ gateway }) => {
  const markup = { pricingModel: 'CostPlusMargin', rateBasisPoints: 100_000 } as const;
  const id = await approvedOffer(await newParties(gateway, markup), { cost: 9_999_999.99 });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 10_999_999_989 });
});

test.for(models)('shows an applied price to both sides: $agreement', async (model, { gateway }) => {
  const { at, vat, supplyBefore, supplyAfter } = model;
  const made = await stagedOffer(gateway, model);
  const live = { amount: 100, [vat]: 15, enteredVatInclusive: false };
  const pending = { amount: 869.57, [vat]: 130.43 };
  expect(await read(made)).toMatchObject({
    [at]: { ...live, pending },
    awaitingDecision: true,
    supply: supplyBefore,
  });
  const applied = { [at]: { ...pending, enteredVatInclusive: true, pending: null } };
  const response = await send(made, apply, { expectedVersion: 2 });
  expect(response.payload).toMatchObject({ ...applied, awaitingSince: null });
  const supply = { ...supplyAfter, stockQuantity: 3, inStock: true };
  expect(await read(made)).toMatchObject({ ...response.payload, supply });
  const seen = succeeded(await made.parties.byVendor('GET', `/${made.id}`));
  expect(seen.payload).toMatchObject(applied);
});

const invalid = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });
const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 9 });

test.for<readonly [string, Row[3], object, object]>([
  ['approve', inReview, { variantId: unknownId() }, { status: 400 }],
  ['approve', draft, {}, invalid('Draft', 'approve')],
  ['approve', unpriced, {}, refusal('BUSINESS_OFFER_PRICE_REQUIRED', { field: 'SalePrice' })],
  ['suspend', inReview, { reason: 'x' }, invalid('PendingReview', 'suspend')],
  ['reinstate', approved, { reason: 'x' }, invalid('Approved', 'reinstate')],
  ['suspend', approved, { expectedVersion: 9, reason: 'x' }, conflict],
  ['reinstate', suspended, { expectedVersion: 9, reason: 'x' }, conflict],
  [back, approved, { expectedVersion: 9, reason: 'x' }, conflict],
  // It needs a price of the new model first (D134).
  [back, suspendedAndSwitched, { reason: 'x' }, invalid('Suspended', 'returnToReview')],
])('refuses command %#, %s, and stores nothing', async (row, { gateway }) => {
  const [path, make, body, expected] = row;
  const made = await make(gateway);
  const before = await everythingOf(gateway.sql, made.id);
  expect(await send(made, path, body)).toMatchObject(expected);
  expect(await everythingOf(gateway.sql, made.id)).toEqual(before);
});

// Which facts count has its cases in the grid of `test/domain/offers/model`.
test.for<readonly [string, Change]>([
  ['a detail', ({ parties, id }) => parties.byVendor('PATCH', `/${id}`, { rawSizeMl: 7 })],
  ['the model', toPercentage],
  ['the percentage', agreed({ pricingModel: 'CostPlusMargin', markupPercent: 43.21 })],
])('refuses decisions on what was read before a change of %s (D83)', async (row, { gateway }) => {
  const [, change] = row;
  const made = await inReview(gateway);
  const { reviewVersion: expectedVersion } = await read(made);
  succeeded(await change(made));
  const before = await everythingOf(gateway.sql, made.id);
  const { reviewVersion } = await read(made);
  for (const path of ['approve', 'reject', apply, discard]) {
    const body = { expectedVersion, ...(path === 'reject' ? { reason: 'No.' } : {}) };
    const late = refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion });
    expect(await send(made, path, body)).toMatchObject(late);
  }
  expect(await everythingOf(gateway.sql, made.id)).toEqual(before);
});

const away = () => Promise.reject(new Error('away'));

test.for<readonly [string, Row[3], object]>([
  ['approve', inReview, {}],
  ['reject', inReview, { reason: 'No.' }],
  [apply, staged, {}],
  [discard, staged, {}],
])('returns the result of %s without later edits of the vendor (D83)', async (row, { gateway }) => {
  const [path, make, body] = row;
  const reviews = createReviewActivities({ sql: gateway.sql, decisionUndoMs: 0 });
  let afterDecision: (() => Promise<void>) | undefined;
  const decideOffer: Decisions['decideOffer'] = async (_input, { action: _action, ...request }) => {
    const outcome = await reviews.applyReviewDecision(request);
    await afterDecision?.();
    return ok(outcome);
  };
  const decisions = { decideOffer, decideReturn: away };
  const { app } = await gatewayOver(gateway.sql, { decisions });
  const made = await make({ ...gateway, app });
  let decided: Readonly<Record<string, unknown>> = {};
  afterDecision = async () => {
    decided = await read(made);
    succeeded(await made.parties.byVendor('PATCH', `/${made.id}`, { vendorSku: 'AFTER' }));
  };
  const response = succeeded(await send(made, path, body));
  expect(await read(made)).toMatchObject({ version: Number(decided['version']) + 1 });
  // A read has more fields.
  expect(decided).toMatchObject(response.payload ?? {});
  await app.close();
});

const long = 'x'.repeat(4001);

test('refuses malformed bodies, and stores nothing (D83)', async ({ gateway }) => {
  const made = await staged(gateway);
  const before = await everythingOf(gateway.sql, made.id);
  for (const [path, body, ...errors] of [
    ['approve', { expectedVersion: undefined }, 'ExpectedVersion required'],
    ['approve', { expectedVersion: null }, 'ExpectedVersion invalid_type'],
    ['approve', { variantId: 'x', expectedVersion: 1 }, 'VariantId invalid_uuid'],
    ['approve', { expectedVersion: 1, reason: 'x' }, 'Reason unknown_field'],
    ['reject', { reason: ' ' }, 'Reason required'],
    ['reject', { reason: long }, 'Reason too_long'],
    ['reject', { reason: 'a', expectedVersion: 0 }, 'ExpectedVersion too_small'],
    ['reject', { reason: 'a', variantId: made.id }, 'VariantId unknown_field'],
    [back, { reason: 'x', expectedVersion: undefined }, 'ExpectedVersion required'],
    ...(['suspend', 'reinstate'] as const).flatMap((path) => [
      [path, {}, 'Reason required'] as const,
      [path, { reason: ' \n' }, 'Reason required'] as const,
      [path, { reason: long }, 'Reason too_long'] as const,
      [path, { reason: 'x', expectedVersion: 0 }, 'ExpectedVersion too_small'] as const,
    ]),
    [apply, { expectedVersion: undefined }, 'ExpectedVersion required'],
    [discard, { expectedVersion: 0, reason: long }, 'ExpectedVersion too_small', 'Reason too_long'],
    [discard, { price: 1 }, 'Price unknown_field'],
  ] as const)
    expect(fieldErrorsOf(await send(made, path, body)), path).toEqual(errors);
  expect(await everythingOf(gateway.sql, made.id)).toEqual(before);
  // A discard needs no version, and a blank reason is none.
  const blank = succeeded(await send(made, discard, { expectedVersion: null, reason: ' ' }));
  expect(blank.payload).toMatchObject({ review: { reason: null } });
});

test('sends no decision whose caller has got a 504 while Postgres was slow', async ({
  gateway,
}) => {
  const { sql, dependencies } = gateway;
  const { parties, id } = await inReview(gateway);
  const app = await appWith(dependencies, { handlerTimeoutMs: 300 });
  const { token } = parties.operators.Reviewer;
  const release = await holdLock(sql, sql`lock table operator_commands in share mode`);
  const body = { reason: 'No.', expectedVersion: 1 };
  const late = await ask(app, 'POST', `/operator/v1/offers/${id}/reject`, { token, body });
  expect(late.status).toBe(504);
  await release();
  await vi.waitFor(async () => {
    const stored = await sql`select from operator_commands where subject_id = ${id}`;
    expect(stored).toHaveLength(1);
  });
  expect(await send({ parties, id }, 'approve', { expectedVersion: 1 })).toMatchObject({
    status: 200,
  });
});

test('suspends, reinstates and refuses while Temporal is unavailable', async ({ gateway }) => {
  const made = await approved(gateway);
  const decisions: Decisions = { decideOffer: away, decideReturn: away };
  const { app } = await gatewayOver(gateway.sql, { decisions });
  const { token } = await newOperator(gateway, ['Reviewer']);
  const post = (action: string, body: object) =>
    call({ app }, 'POST', `/operator/v1/offers/${made.id}/${action}`, { token, body });
  for (const action of ['suspend', 'reinstate'])
    expect((await post(action, { reason: 'x' })).status).toBe(200);
  // What the record refuses needs no Temporal either.
  const { reviewVersion: expectedVersion } = await read(made);
  expect(await post('approve', { expectedVersion })).toMatchObject(invalid('Approved', 'approve'));
  await app.close();
});

test.for<readonly [string, string, Row[3], RegExp]>([
  ['suspend', 'suspend', approved, /INVALID_TRANSITION/],
  [apply, discard, staged, /NO_PENDING_PRICE|CONFLICT_VERSION/],
])('carries out one of ten concurrent commands %s and %s', async (row, { gateway }) => {
  const [one, other, make, refused] = row;
  const made = await make(gateway);
  const before = await everythingOf(gateway.sql, made.id);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      send(made, index % 2 === 0 ? one : other, one === apply ? {} : { reason: 'x' }),
    ),
  );
  const lost = responses.filter(({ status }) => status !== 200);
  expect(lost).toHaveLength(9);
  for (const { state } of lost) expect(state).toMatch(refused);
  expect(await auditOf(gateway.sql, made.id)).toHaveLength(before.audit.length + 1);
  const version = Number(before.row?.['version']) + 1;
  expect(await rowOf(gateway.sql, made.id)).toMatchObject({ version });
});
