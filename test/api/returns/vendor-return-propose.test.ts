import { describe, expect } from 'vitest';
import { inspectionOutcomes, returnStatuses } from '../../../domain/returns/return-status.ts';
import {
  expectRefused,
  invalidMove,
  newReturnBench,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  type ReturnBench,
} from './return-fixture.ts';
import { fieldErrorsOf, refusal, unknownId } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

const test = gatewayTest.extend('bench', { scope: 'file' }, ({ gateway }) =>
  newReturnBench(gateway),
);

const noPhoto = refusal('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');

const inspected = async (bench: ReturnBench) => {
  const id = await bench.returnIn('UnderInspection');
  await succeeded(bench.addEvidence(id));
  return id;
};

describe('a proposal', () => {
  test.for(returnStatuses)(
    'on a return that is %s, without a photo and with one',
    async (status, { gateway, bench }) => {
      const id = await bench.returnIn(status);
      const isOpen = status === 'UnderInspection';
      const propose = () => bench.propose(id, 'AcceptedSound');
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

  test('asks for a photo: documents are none', async ({ gateway, bench }) => {
    const id = await bench.returnIn('UnderInspection');
    await succeeded(bench.addEvidence(id, 'Document'));
    await expectRefused(gateway, id, () => bench.propose(id, 'AcceptedDefect'), noPhoto);
    await succeeded(bench.addEvidence(id, 'Photo'));
    expect((await bench.propose(id, 'AcceptedDefect')).status).toBe(200);
  });

  test('takes a photo that came before the inspection', async ({ bench }) => {
    const id = await bench.returnIn('Received');
    await succeeded(bench.addEvidence(id));
    await succeeded(bench.staff('POST', `/${id}/start-inspection`, {}));
    expect((await bench.propose(id, 'AcceptedDefect')).status).toBe(200);
  });

  test.for(inspectionOutcomes)(
    'of %s is recorded, and moves and decides nothing',
    async (outcome, { gateway, bench }) => {
      const id = await inspected(bench);
      const before = await storedReturn(gateway, id);
      const { payload } = await succeeded(bench.propose(id, outcome));
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

  test('may be changed until the decision; once staff were asked for, they still are (D71)', async ({
    gateway,
    bench,
  }) => {
    const id = await inspected(bench);
    for (const [outcome, requiresStaffReview] of [
      ['AcceptedSound', false],
      ['AcceptedDefect', false],
      ['Rejected', true],
      ['AcceptedSound', true],
      ['AcceptedDefect', true],
    ] as const) {
      const { payload } = await succeeded(bench.propose(id, outcome));
      expect(payload).toMatchObject({
        inspection: { supplierProposedOutcome: outcome, requiresStaffReview },
      });
    }
    const decided = await succeeded(bench.decide(id, 'AcceptedSound'));
    expect(decided.payload).toMatchObject({
      inspection: {
        outcome: 'AcceptedSound',
        supplierProposedOutcome: 'AcceptedDefect',
        requiresStaffReview: false,
      },
    });
    const refused = invalidMove('InspectionAccepted', 'propose');
    await expectRefused(gateway, id, () => bench.propose(id, 'Rejected'), refused);
  });

  test('made again changes nothing at all', async ({ gateway, bench }) => {
    const id = await inspected(bench);
    const first = await succeeded(bench.propose(id, 'Rejected'));
    const before = await returnRecord(gateway, id);
    expect((await succeeded(bench.propose(id, 'Rejected'))).payload).toEqual(first.payload);
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
  ] as const)('with the body %j is 400', async ([body, errors], { gateway, bench }) => {
    const id = await inspected(bench);
    const before = await returnRecord(gateway, id);
    const answer = await bench.send('PATCH', `/${id}/inspection/propose`, body);
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual(errors);
    expect(await returnRecord(gateway, id)).toBe(before);
  });
});
