import { expect } from 'vitest';
import { fail } from '../../../domain/errors.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { call, gatewayOver, refusal, textOf, type Answer } from '../../support/api/api.ts';
import { instant, uuidV7 } from '../../support/api/matchers.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  returnTest as test,
  storedReturn,
  succeeded,
  type ReturnFixture,
} from './return-fixture.ts';

// What staff and the vendor do to a return, by its effects. Which status allows it has its cases in
// `test/domain/returns`, the bodies in `return-body.test.ts`.

test.for<readonly [string, string, ReturnStatus, ReturnStatus, object?]>([
  ['approve', 'approve', 'Pending', 'Approved'],
  ['reject', 'reject', 'Pending', 'Rejected'],
  ['in-transit', 'inTransit', 'Approved', 'InTransit'],
  ['received', 'receive', 'InTransit', 'Received'],
  ['start-inspection', 'startInspection', 'Received', 'UnderInspection'],
  ['refund-released', 'releaseRefund', 'InspectionAccepted', 'RefundReleased'],
  ['withdraw', 'withdraw', 'Approved', 'Withdrawn'],
  ['close', 'close', 'InspectionRejected', 'Closed'],
  ['decide', 'decide', 'UnderInspection', 'InspectionAccepted', { outcome: 'AcceptedDefect' }],
])(
  '%s moves a return once with its reason, and refuses a second call (%s, %s to %s)',
  async ([path, action, from, to, body], { gateway, fixture }) => {
    const id = await fixture.returnIn(from, { destination: 'SortingPoint' });
    const move = () => fixture.staff('POST', `/${id}/${path}`, { ...body, reason: 'Because.' });
    const { way, audit, outcome, version } = await storedReturn(gateway, id);
    const answer = await move();
    expect(answer).toMatchObject({ status: 200, details: {}, payload: { id, status: to } });
    expect(await storedReturn(gateway, id)).toMatchObject({
      status: to,
      version: version + 1,
      way: `${way} > ${to}`,
      audit: [...audit, `return.${action}`],
    });
    const entries = await gateway.sql`
      select operator_id, subject_type, request_id, before, after from audit_log
      where subject_id = ${id} order by id desc limit 1`;
    const unset = { outcome, proposedOutcome: null, requiresStaffReview: false };
    expect(entries).toEqual([
      {
        operatorId: fixture.operator.id,
        subjectType: 'return',
        requestId: answer.headers['x-request-id'],
        before: { ...unset, status: from, version },
        after: { ...unset, status: to, version: version + 1, reason: 'Because.', ...body },
      },
    ]);
    const { payload } = await fixture.staff('GET', `/${id}`);
    const { history, earlierReturns: _, now: _now, ...read } = payload ?? {};
    expect(read).toStrictEqual(answer.payload);
    expect((history as object[]).at(-1)).toEqual({ at: instant, from, to, reason: 'Because.' });
    await expectRefused(gateway, id, move, invalidMove(to, action));
  },
);

test('received refuses a return to a vendor', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('InTransit');
  const move = () => fixture.staff('POST', `/${id}/received`, {});
  await expectRefused(gateway, id, move, invalidMove('InTransit', 'receive'));
});

test('a blank reason is stored as none, and a move needs no body', async ({ fixture }) => {
  const id = await fixture.request();
  await succeeded(fixture.staff('POST', `/${id}/approve`));
  await succeeded(fixture.staff('POST', `/${id}/in-transit`, { reason: '  ' }));
  expect((await fixture.staff('GET', `/${id}`)).payload).toMatchObject({
    history: [{}, { to: 'Approved', reason: null }, { to: 'InTransit', reason: null }],
  });
});

test('sends the workflow a message of each move', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('Received', { destination: 'SortingPoint' });
  const messages = await gateway.sql<{ kind: string; signal: string }[]>`
    select kind, payload->>'signal' as signal from outbox where subject_id = ${id} order by id`;
  expect(messages.map(({ kind, signal }) => `${kind} ${signal}`)).toEqual([
    'returnInspection changed',
    'returnInspection changed',
    'returnInspection changed',
    'returnInspection received',
  ]);
});

test('decide refuses by the record before it calls Temporal', async ({ gateway, fixture }) => {
  const sent: unknown[] = [];
  const decideReturn = async (...given: readonly unknown[]) => {
    sent.push(given);
    return fail('SERVICE_UNAVAILABLE');
  };
  const { decisions } = gateway.dependencies;
  const watched = await gatewayOver(gateway.sql, { decisions: { ...decisions, decideReturn } });
  const [pending, open] = [await fixture.request(), await fixture.returnIn('UnderInspection')];
  const decide = (id: string) =>
    call(watched, 'POST', `/operator/v1/returns/${id}/decide`, {
      token: fixture.operator.token,
      body: { outcome: 'Rejected' },
    });
  await expectRefused(gateway, pending, () => decide(pending), invalidMove('Pending', 'decide'));
  expect(sent).toEqual([]);
  await expectRefused(gateway, open, () => decide(open), refusal('SERVICE_UNAVAILABLE'));
  expect(sent).toEqual([
    [
      {
        returnId: open,
        vendorId: fixture.vendor.vendorId,
        returnNumber: expect.stringMatching(/^RR-\d{8,}$/),
        isForSupplier: true,
        inspectionStartMs: 24 * 3_600_000,
        inspectionWindowMs: 72 * 3_600_000,
      },
      {
        action: 'decide',
        commandId: expect.any(String),
        operatorId: fixture.operator.operatorId,
        requestId: expect.any(String),
      },
    ],
  ]);
});

const inspected = async (fixture: ReturnFixture) => {
  const id = await fixture.returnIn('UnderInspection');
  await succeeded(fixture.addEvidence(id));
  return id;
};

test('moves a return once by its receipt, with a message', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('InTransit');
  const answer = await fixture.receive(id.toUpperCase());
  const receivedAt = textOf(answer, 'receivedAt');
  expect(answer).toMatchObject({
    status: 200,
    details: {},
    payload: {
      id,
      status: 'Received',
      receivedAt: instant,
      inspectionStartedAt: null,
      inspection: { receivedAt, inspectionWindowDeadline: null, evidence: [] },
    },
  });
  expect((await fixture.send('GET', `/${id}`)).payload).toStrictEqual(answer.payload);
  const way = 'Pending > Approved > InTransit > Received';
  expect(await storedReturn(gateway, id)).toMatchObject({ way, version: 4 });
  const [message] = await gateway.sql`
    select kind, payload->>'signal' as signal from outbox where subject_id = ${id}
    order by id desc limit 1`;
  expect(message).toEqual({ kind: 'returnInspection', signal: 'received' });
  await expectRefused(gateway, id, () => fixture.receive(id), invalidMove('Received', 'receive'));
});

test('keeps each piece of evidence in order, its URL normalized', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('Received');
  const before = await storedReturn(gateway, id);
  const added: Answer['payload'][] = [];
  for (const kind of ['Photo', 'Photo', 'Document']) {
    const answer = await fixture.addEvidence(id, kind, 'HTTPS://Vendor.example.org/photo.jpg');
    expect(answer).toMatchObject({ status: 201, details: {} });
    expect(answer.payload).toStrictEqual({ id: uuidV7, url: photoUrl, kind, uploadedAt: instant });
    added.push(answer.payload);
  }
  const { payload } = await fixture.send('GET', `/${id}`);
  expect(payload).toMatchObject({ status: 'Received', inspection: { evidence: added } });
  expect(new Set(added.map((piece) => piece?.['id'])).size).toBe(3);
  const { way, version } = await storedReturn(gateway, id);
  expect({ way, version }).toEqual({ way: before.way, version: before.version + 3 });
});

test('accepts 100 pieces of evidence, and refuses another', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('Received');
  await gateway.sql`
    insert into return_evidence (id, return_id, url, kind, uploaded_at)
    select gen_random_uuid(), ${id}, ${photoUrl}, 'Document', now() from generate_series(1, 99)`;
  await succeeded(fixture.addEvidence(id));
  const full = refusal('BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 });
  await expectRefused(gateway, id, () => fixture.addEvidence(id), full);
});

test.for<readonly [ReturnStatus, object]>([
  ['Approved', refusal('BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status: 'Approved' })],
  ['InspectionAccepted', invalidMove('InspectionAccepted', 'evidence')],
])(
  'evidence is refused for a return that is %s',
  async ([status, expected], { gateway, fixture }) => {
    const id = await fixture.returnIn(status);
    await expectRefused(gateway, id, () => fixture.addEvidence(id), expected);
  },
);

test('a proposal is stored, replaced, stored once if repeated, and may require a review [D71]', async ({
  gateway,
  fixture,
}) => {
  const id = await inspected(fixture);
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
    });
  }
  const stored = await returnRecord(gateway, id);
  await succeeded(fixture.propose(id, 'AcceptedSound'));
  expect(await returnRecord(gateway, id)).toBe(stored);
});

test('a proposal requires a photo from before or during the inspection', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.returnIn('Received');
  await succeeded(fixture.addEvidence(id, 'Document'));
  const propose = () => fixture.propose(id, 'AcceptedSound');
  await expectRefused(gateway, id, propose, invalidMove('Received', 'propose'));
  await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
  const noPhoto = refusal('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');
  await expectRefused(gateway, id, propose, noPhoto);
  await succeeded(fixture.addEvidence(id));
  await succeeded(propose());
});
