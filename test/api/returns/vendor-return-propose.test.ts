import { describe, expect } from 'vitest';
import { inspectionOutcomes, returnStatuses } from '../../../domain/returns/return-status.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  type ReturnFixture,
  returnTest as test,
} from './return-fixture.ts';
import { fieldErrorsOf, refusal, unknownId } from '../support/api.ts';

const noPhoto = refusal('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');

const inspected = async (fixture: ReturnFixture) => {
  const id = await fixture.returnIn('UnderInspection');
  await succeeded(fixture.addEvidence(id));
  return id;
};

describe('a proposal', () => {
  test.for(returnStatuses)(
    'on a return that is %s, without a photo and with one',
    async (status, { gateway, fixture }) => {
      const id = await fixture.returnIn(status);
      const isOpen = status === 'UnderInspection';
      const propose = () => fixture.propose(id, 'AcceptedSound');
      // The state is judged before the photo that is missing.
      await expectRefused(gateway, id, propose, isOpen ? noPhoto : invalidMove(status, 'propose'));
      await gateway.sql`
      insert into return_evidence (id, return_id, url, kind, uploaded_at)
      values (${unknownId()}, ${id}, ${photoUrl}, 'Photo', now())`;
      if (!isOpen) return expectRefused(gateway, id, propose, invalidMove(status, 'propose'));
      expect(await propose()).toMatchObject({
        status: 200,
        state: 'SUCCESS',
        payload: {
          id,
          status,
          inspectionDecidedAt: null,
          inspection: {
            outcome: null,
            supplierProposedOutcome: 'AcceptedSound',
            requiresStaffReview: false,
            evidence: [{ kind: 'Photo' }],
          },
        },
      });
      return undefined;
    },
  );

  test('asks for a photo: documents are none', async ({ gateway, fixture }) => {
    const id = await fixture.returnIn('UnderInspection');
    await succeeded(fixture.addEvidence(id, 'Document'));
    await expectRefused(gateway, id, () => fixture.propose(id, 'AcceptedDefect'), noPhoto);
    await succeeded(fixture.addEvidence(id, 'Photo'));
    expect((await fixture.propose(id, 'AcceptedDefect')).status).toBe(200);
  });

  test('takes a photo that came before the inspection', async ({ fixture }) => {
    const id = await fixture.returnIn('Received');
    await succeeded(fixture.addEvidence(id));
    await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
    expect((await fixture.propose(id, 'AcceptedDefect')).status).toBe(200);
  });

  test.for(inspectionOutcomes)(
    'of %s is recorded, and moves and decides nothing',
    async (outcome, { gateway, fixture }) => {
      const id = await inspected(fixture);
      const before = await storedReturn(gateway, id);
      const { payload } = await succeeded(fixture.propose(id, outcome));
      const requiresStaffReview = outcome === 'Rejected';
      expect(payload).toMatchObject({
        status: 'UnderInspection',
        inspection: { outcome: null, supplierProposedOutcome: outcome, requiresStaffReview },
      });
      expect(await storedReturn(gateway, id)).toEqual({
        ...before,
        changedAt: expect.any(Date),
        version: before.version + 1,
        proposedOutcome: outcome,
        requiresStaffReview,
      });
    },
  );

  test('may be changed until the decision; once asked for, staff still are (D71)', async ({
    gateway,
    fixture,
  }) => {
    const id = await inspected(fixture);
    for (const [outcome, requiresStaffReview] of [
      ['AcceptedSound', false],
      ['AcceptedDefect', false],
      ['Rejected', true],
      ['AcceptedSound', true],
      ['AcceptedDefect', true],
    ] as const) {
      const { payload } = await succeeded(fixture.propose(id, outcome));
      expect(payload).toMatchObject({
        inspection: { supplierProposedOutcome: outcome, requiresStaffReview },
      });
    }
    const decided = await succeeded(fixture.decide(id, 'AcceptedSound'));
    expect(decided.payload).toMatchObject({
      inspection: {
        outcome: 'AcceptedSound',
        supplierProposedOutcome: 'AcceptedDefect',
        requiresStaffReview: false,
      },
    });
    const refused = invalidMove('InspectionAccepted', 'propose');
    await expectRefused(gateway, id, () => fixture.propose(id, 'Rejected'), refused);
  });

  test('made again changes nothing at all', async ({ gateway, fixture }) => {
    const id = await inspected(fixture);
    const first = await succeeded(fixture.propose(id, 'Rejected'));
    const before = await returnRecord(gateway, id);
    expect((await succeeded(fixture.propose(id, 'Rejected'))).payload).toEqual(first.payload);
    expect(await returnRecord(gateway, id)).toBe(before);
  });

  test.for([
    [{}, ['Outcome required']],
    [{ outcome: null }, ['Outcome not_allowed']],
    [{ outcome: 'rejected' }, ['Outcome not_allowed']],
    [{ outcome: 'InspectionRejected' }, ['Outcome not_allowed']],
    [{ outcome: 'Rejected', requiresStaffReview: false }, ['RequiresStaffReview unknown_field']],
    [{ outcome: 'Rejected', reason: 'x' }, ['Reason unknown_field']],
    [
      { supplierProposedOutcome: 'Rejected' },
      ['Outcome required', 'SupplierProposedOutcome unknown_field'],
    ],
  ] as const)('with the body %j is 400', async ([body, errors], { gateway, fixture }) => {
    const id = await inspected(fixture);
    const before = await returnRecord(gateway, id);
    const answer = await fixture.send('PATCH', `/${id}/inspection/propose`, body);
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual(errors);
    expect(await returnRecord(gateway, id)).toBe(before);
  });
});
