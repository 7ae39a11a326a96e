import { expect } from 'vitest';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { fieldErrorsOf, refusal, textOf, type Answer, type Method } from '../../support/api/api.ts';
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

// Receipt, evidence and proposal by the vendor. Their rules have their cases in
// `test/domain/returns`, their bodies in `return-body.test.ts`.

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

test.for<readonly [Method, string, unknown, readonly string[]]>([
  ['PATCH', 'received', { reason: 'x' }, ['Reason unknown_field']],
  ['POST', 'evidence', { url: 'x', kind: 'x' }, ['Kind not_allowed', 'Url invalid_url']],
  ['PATCH', 'inspection/propose', { outcome: 'rejected' }, ['Outcome not_allowed']],
])('%s %s refuses the body %j', async ([method, path, body, errors], { gateway, fixture }) => {
  const id = await inspected(fixture);
  const send = () => fixture.send(method, `/${id}/${path}`, body);
  expect(fieldErrorsOf(await send())).toEqual(errors);
  await expectRefused(gateway, id, send, refusal('VALIDATION_ERRORS'));
});
