import { expect } from 'vitest';
import { fail } from '../../../domain/errors.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { call, gatewayOver, refusal, textOf, type ApiResponse } from '../../support/api/api.ts';
import { instant, uuidV7 } from '../../support/api/matchers.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  returnTest as test,
  storedReturn,
  succeeded,
} from './return-fixture.ts';

// What staff and the vendor do to a return, by its effects. Which status allows it has its cases in
// `test/domain/returns`, the bodies in `return-body.test.ts`.

const decision = { outcome: 'AcceptedDefect' };

test.for<readonly [string, string, ReturnStatus, ReturnStatus, string | null, object?]>([
  ['approve', 'approve', 'Pending', 'Approved', 'changed'],
  ['reject', 'reject', 'Pending', 'Rejected', 'changed'],
  ['in-transit', 'inTransit', 'Approved', 'InTransit', 'changed'],
  ['received', 'receive', 'InTransit', 'Received', 'received'],
  ['start-inspection', 'startInspection', 'Received', 'UnderInspection', null],
  ['refund-released', 'releaseRefund', 'InspectionAccepted', 'RefundReleased', 'changed'],
  ['withdraw', 'withdraw', 'Approved', 'Withdrawn', 'changed'],
  ['close', 'close', 'InspectionRejected', 'Closed', 'changed'],
  ['decide', 'decide', 'UnderInspection', 'InspectionAccepted', null, decision],
])(
  'moves a return once by %s, with its reason and message (%s, %s to %s: %s)',
  async ([path, action, from, to, signal, body], { gateway, fixture }) => {
    const id = await fixture.returnIn(from, { destination: 'SortingPoint' });
    const move = () => fixture.staff('POST', `/${id}/${path}`, { ...body, reason: 'Because.' });
    const { way, audit, signals, outcome, version } = await storedReturn(gateway, id);
    const response = await move();
    expect(response).toMatchObject({ status: 200, details: {}, payload: { id, status: to } });
    expect(await storedReturn(gateway, id)).toMatchObject({
      status: to,
      version: version + 1,
      way: `${way} > ${to}`,
      audit: [...audit, `return.${action}`],
      // The workflow itself applies a decision.
      signals: [...signals, ...(signal === null ? [] : [signal])],
    });
    const entries = await gateway.sql`
      select operator_id, subject_type, request_id, before, after from audit_log
      where subject_id = ${id} order by id desc limit 1`;
    const unset = { outcome, proposedOutcome: null, requiresStaffReview: false };
    expect(entries).toEqual([
      {
        operatorId: fixture.operator.id,
        subjectType: 'return',
        requestId: response.headers['x-request-id'],
        before: { ...unset, status: from, version },
        after: { ...unset, status: to, version: version + 1, reason: 'Because.', ...body },
      },
    ]);
    const { payload } = await fixture.staff('GET', `/${id}`);
    const { history, earlierReturns: _, now: _now, ...read } = payload ?? {};
    expect(read).toStrictEqual(response.payload);
    expect((history as object[]).at(-1)).toEqual({ at: instant, from, to, reason: 'Because.' });
    await expectRefused(gateway, id, move, invalidMove(to, action));
  },
);

test('says who did what before a move or decision that is refused, if staff did (D161)', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.returnIn('Pending');
  const by = (decision: string, decidedBy: string | null = fixture.operator.operatorId) => ({
    details: { decidedBy, decision, at: instant },
  });
  await succeeded(fixture.staff('POST', `/${id}/reject`));
  for (const path of ['approve', 'reject', 'start-inspection'])
    expect(await fixture.staff('POST', `/${id}/${path}`)).toMatchObject(by('return.reject'));
  const decided = await fixture.returnIn('UnderInspection');
  const decide = (more = {}) =>
    fixture.staff('POST', `/${decided}/decide`, { ...decision, ...more });
  // The vendor's evidence is the latest change.
  await succeeded(fixture.addEvidence(decided));
  const changed = await decide({ expectedVersion: 1 });
  expect(changed).toMatchObject(refusal('CONFLICT_VERSION'));
  expect(changed.details).not.toHaveProperty('decidedBy');
  await succeeded(decide());
  expect(await decide()).toMatchObject(by('return.decide'));
  expect(await decide({ expectedVersion: 1 })).toMatchObject(by('return.decide'));
  await gateway.sql`update return_requests set decided_by = null where id = ${decided}`;
  expect(await decide()).toMatchObject(by('return.decide', null));
});

test('stores a blank or missing reason of a move as absent', async ({ fixture }) => {
  const id = await fixture.request();
  await succeeded(fixture.staff('POST', `/${id}/approve`));
  await succeeded(fixture.staff('POST', `/${id}/in-transit`, { reason: '  ' }));
  expect((await fixture.staff('GET', `/${id}`)).payload).toMatchObject({
    history: [{}, { to: 'Approved', reason: null }, { to: 'InTransit', reason: null }],
  });
});

test('refuses a decision by the record before it calls Temporal', async ({ gateway, fixture }) => {
  const sent: unknown[] = [];
  const decideReturn = async (...given: readonly unknown[]) => {
    sent.push(given);
    return fail('SERVICE_UNAVAILABLE');
  };
  const { decisions } = gateway.dependencies;
  const watched = await gatewayOver(gateway.sql, { decisions: { ...decisions, decideReturn } });
  const [pending, open] = [await fixture.request(), await fixture.returnIn('UnderInspection')];
  const decide = (id: string, expectedVersion?: number) =>
    call(watched, 'POST', `/operator/v1/returns/${id}/decide`, {
      token: fixture.operator.token,
      body: { outcome: 'Rejected', expectedVersion },
    });
  await expectRefused(gateway, pending, () => decide(pending), invalidMove('Pending', 'decide'));
  const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 4, version: 5 });
  await expectRefused(gateway, open, () => decide(open, 4), conflict);
  expect(sent).toEqual([]);
  await expectRefused(gateway, open, () => decide(open), refusal('SERVICE_UNAVAILABLE'));
  const { vendor, operator } = fixture;
  const times = { inspectionStartMs: 24 * 3_600_000, inspectionWindowMs: 72 * 3_600_000 };
  expect(sent).toMatchObject([
    [
      { returnId: open, vendorId: vendor.vendorId, isForSupplier: true, ...times },
      { action: 'decide', operatorId: operator.operatorId, requestId: expect.any(String) },
    ],
  ]);
});

test('moves a return once by its receipt', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('InTransit');
  const response = await fixture.receive(id.toUpperCase());
  const receivedAt = textOf(response, 'receivedAt');
  const payload = { id, status: 'Received', receivedAt: instant, inspection: { receivedAt } };
  expect(response).toMatchObject({ status: 200, details: {}, payload });
  expect((await fixture.send('GET', `/${id}`)).payload).toStrictEqual(response.payload);
  const way = 'Pending > Approved > InTransit > Received';
  const signals = ['changed', 'changed', 'changed', 'received'];
  expect(await storedReturn(gateway, id)).toMatchObject({ way, version: 4, signals });
  await expectRefused(gateway, id, () => fixture.receive(id), invalidMove('Received', 'receive'));
});

test('stores each piece of evidence in order, its URL normalized', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('Received');
  const before = await storedReturn(gateway, id);
  const added: ApiResponse['payload'][] = [];
  for (const kind of ['Photo', 'Photo', 'Document']) {
    const response = await fixture.addEvidence(id, kind, 'HTTPS://Vendor.example.org/photo.jpg');
    expect(response).toMatchObject({ status: 201, details: {} });
    expect(response.payload).toStrictEqual({
      id: uuidV7,
      url: photoUrl,
      kind,
      uploadedAt: instant,
    });
    added.push(response.payload);
  }
  const { payload } = await fixture.send('GET', `/${id}`);
  expect(payload).toMatchObject({ status: 'Received', inspection: { evidence: added } });
  expect(new Set(added.map((piece) => piece?.['id'])).size).toBe(3);
  expect(await storedReturn(gateway, id)).toMatchObject({
    way: before.way,
    version: before.version + 3,
    signals: [...before.signals, 'evidence', 'evidence', 'evidence'],
  });
});

test('stores a proposal once if repeated, replaces it, and may require a review (D71)', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.returnIn('UnderInspection');
  await succeeded(fixture.addEvidence(id));
  const before = await storedReturn(gateway, id);
  const proposals = ['AcceptedDefect', 'Rejected', 'AcceptedSound'] as const;
  for (const [index, outcome] of proposals.entries()) {
    const requiresStaffReview = index > 0;
    const { payload } = await succeeded(fixture.propose(id, outcome));
    const inspection = { outcome: null, supplierProposedOutcome: outcome, requiresStaffReview };
    expect(payload).toMatchObject({ status: 'UnderInspection', inspection });
    expect((await fixture.send('GET', `/${id}`)).payload).toStrictEqual(payload);
    expect(await storedReturn(gateway, id)).toEqual({
      ...before,
      changedAt: expect.any(Date),
      version: before.version + 1 + index,
      proposedOutcome: outcome,
      requiresStaffReview,
      signals: [...before.signals, ...proposals.slice(0, index + 1).map(() => 'proposed')],
    });
  }
  const stored = await returnRecord(gateway, id);
  await succeeded(fixture.propose(id, 'AcceptedSound'));
  expect(await returnRecord(gateway, id)).toBe(stored);
});

test('accepts a photo only after the receipt, and a proposal only after a photo', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.returnIn('InTransit');
  const addPhoto = () => fixture.addEvidence(id);
  const propose = () => fixture.propose(id, 'AcceptedSound');
  const notReceived = refusal('BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status: 'InTransit' });
  await expectRefused(gateway, id, addPhoto, notReceived);
  await succeeded(fixture.receive(id));
  await succeeded(fixture.addEvidence(id, 'Document'));
  await expectRefused(gateway, id, propose, invalidMove('Received', 'propose'));
  await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
  const noPhoto = refusal('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');
  await expectRefused(gateway, id, propose, noPhoto);
  await succeeded(addPhoto());
  await succeeded(propose());
});
