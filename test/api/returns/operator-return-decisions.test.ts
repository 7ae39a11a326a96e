import { describe, expect } from 'vitest';
import { inspectionOutcomes } from '../../../domain/returns/return-status.ts';
import { newOperator } from '../support/actors.ts';
import {
  expectRefused,
  invalidMove,
  returnRecord,
  storedReturn,
  succeeded,
  returnTest as test,
} from './return-fixture.ts';
import {
  call,
  fieldErrorsOf,
  gatewayOver,
  refusal,
  unknownId,
  type Gateway,
} from '../support/api.ts';
import { fail } from '../../../domain/errors.ts';

import { instant } from '../support/matchers.ts';

const auditOf = (gateway: Gateway, id: string, action: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after
  from audit_log where subject_id = ${id} and action = ${action}`;

describe('a decision', () => {
  test.for([
    ['AcceptedDefect', 'InspectionAccepted'],
    ['AcceptedSound', 'InspectionAccepted'],
    ['Rejected', 'InspectionRejected'],
  ] as const)(
    'of %s is decisive: %s, by whom, when and why',
    async ([outcome, status], { gateway, fixture }) => {
      const id = await fixture.returnIn('UnderInspection');
      const before = await storedReturn(gateway, id);
      const answer = await fixture.decide(id, outcome, 'Looked at it.');
      expect(answer).toMatchObject({
        status: 200,
        state: 'SUCCESS',
        payload: {
          id,
          status,
          inspectionDecidedAt: instant,
          inspection: { outcome, supplierProposedOutcome: null, requiresStaffReview: false },
          decidedBy: fixture.operator.operatorId,
          version: before.version + 1,
        },
      });
      const told = { proposedOutcome: null, requiresStaffReview: false };
      expect(await auditOf(gateway, id, 'return.decide')).toEqual([
        {
          operatorId: fixture.operator.id,
          action: 'return.decide',
          subjectType: 'return',
          requestId: answer.headers['x-request-id'],
          before: { ...told, status: 'UnderInspection', version: before.version, outcome: null },
          after: { ...told, status, version: before.version + 1, outcome, reason: 'Looked at it.' },
        },
      ]);
      const { payload } = await fixture.staff('GET', `/${id}`);
      const history = (payload as { history: readonly { at: string }[] }).history;
      expect(history.at(-1)).toStrictEqual({
        at: answer.payload?.['inspectionDecidedAt'],
        from: 'UnderInspection',
        to: status,
        reason: 'Looked at it.',
      });
    },
  );

  test('is staff’s, whatever the vendor proposed, and nothing asks for staff any more', async ({
    fixture,
  }) => {
    for (const proposed of inspectionOutcomes) {
      for (const outcome of inspectionOutcomes) {
        const id = await fixture.returnIn('UnderInspection');
        await succeeded(fixture.addEvidence(id));
        await succeeded(fixture.propose(id, proposed));
        await succeeded(fixture.decide(id, outcome));
        expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject({
          inspection: { outcome, supplierProposedOutcome: proposed, requiresStaffReview: false },
        });
      }
    }
  });

  test('needs neither a proposal, nor evidence, nor a reason', async ({ gateway, fixture }) => {
    for (const reason of [undefined, '', '  ']) {
      const id = await fixture.returnIn('UnderInspection');
      await succeeded(fixture.decide(id, 'AcceptedSound', reason));
      const [entry] = await auditOf(gateway, id, 'return.decide');
      expect(entry?.['after']).toMatchObject({ reason: null });
    }
  });

  test('is made once: a second one of any operator with any outcome is refused', async ({
    gateway,
    fixture,
  }) => {
    const id = await fixture.returnIn('UnderInspection');
    await succeeded(fixture.decide(id, 'AcceptedSound'));
    const { token } = await newOperator(gateway, ['Operations']);
    const again = (outcome: string) =>
      call(gateway, 'POST', `/operator/v1/returns/${id}/decide`, { token, body: { outcome } });
    for (const outcome of inspectionOutcomes) {
      const refused = invalidMove('InspectionAccepted', 'decide');
      await expectRefused(gateway, id, () => again(outcome), refused);
    }
    await succeeded(fixture.staff('POST', `/${id}/refund-released`, {}));
    await expectRefused(
      gateway,
      id,
      () => again('Rejected'),
      invalidMove('RefundReleased', 'decide'),
    );
  });

  test.for([
    [{}, ['Outcome required']],
    [{ outcome: null }, ['Outcome not_allowed']],
    [{ outcome: 'rejected' }, ['Outcome not_allowed']],
    [{ outcome: 'InspectionAccepted', reason: 5 }, ['Outcome not_allowed', 'Reason invalid_type']],
    [{ outcome: 'Rejected', expectedVersion: 1 }, ['ExpectedVersion unknown_field']],
    [{ outcome: 'Rejected', reason: 'x'.repeat(4001) }, ['Reason too_long']],
    [{ outcome: 'Rejected', reason: 'a\0' }, ['Reason invalid_characters']],
  ] as const)(
    'with the body %j is 400, and decides nothing',
    async ([body, errors], { gateway, fixture }) => {
      const id = await fixture.returnIn('UnderInspection');
      const before = await returnRecord(gateway, id);
      const answer = await fixture.staff('POST', `/${id}/decide`, body);
      expect(answer.status).toBe(400);
      expect(fieldErrorsOf(answer)).toEqual(errors);
      expect(await returnRecord(gateway, id)).toBe(before);
    },
  );

  test('on an unknown return, or one whose id is no uuid, is 404, after the body’s shape', async ({
    fixture,
  }) => {
    for (const id of [unknownId(), 'x', '%00']) {
      expect(await fixture.decide(id, 'Rejected')).toMatchObject(
        refusal('NOT_FOUND_RETURN_REQUEST'),
      );
      expect((await fixture.staff('POST', `/${id}/decide`, {})).state).toBe('VALIDATION_ERRORS');
    }
  });
});

describe('the start of an inspection by staff', () => {
  test('opens the window and records no decision', async ({ gateway, fixture }) => {
    const id = await fixture.returnIn('Received');
    const body = { reason: 'Now.' };
    const answer = await succeeded(fixture.staff('POST', `/${id}/start-inspection`, body));
    const { inspectionStartedAt } = answer.payload as { inspectionStartedAt: string };
    const windowMs = 72 * 3_600_000;
    expect(answer.payload).toMatchObject({
      status: 'UnderInspection',
      inspectionStartedAt: instant,
      inspectionDecidedAt: null,
      decidedBy: null,
      inspection: {
        inspectionWindowDeadline: new Date(
          Date.parse(inspectionStartedAt) + windowMs,
        ).toISOString(),
        outcome: null,
      },
    });
    expect(await auditOf(gateway, id, 'return.startInspection')).toMatchObject([
      {
        operatorId: fixture.operator.id,
        before: { status: 'Received' },
        after: { status: 'UnderInspection', reason: 'Now.' },
      },
    ]);
  });
});

describe('by way of the workflow', () => {
  test('what the state refuses never gets there', async ({ gateway, fixture }) => {
    const sent: unknown[] = [];
    const decideReturn = async (...given: readonly unknown[]) => {
      sent.push(given);
      return fail('SERVICE_UNAVAILABLE');
    };
    const { decisions } = gateway.dependencies;
    const watched = await gatewayOver(gateway.sql, { decisions: { ...decisions, decideReturn } });
    const { token } = fixture.operator;
    const [pending, open] = [await fixture.request(), await fixture.returnIn('UnderInspection')];
    const decide = (id: string) =>
      call(watched, 'POST', `/operator/v1/returns/${id}/decide`, {
        token,
        body: { outcome: 'Rejected' },
      });
    await expectRefused(gateway, pending, () => decide(pending), invalidMove('Pending', 'decide'));
    expect((await decide(unknownId())).state).toBe('NOT_FOUND_RETURN_REQUEST');
    expect(sent).toEqual([]);
    // The route answers the refusal of the workflow's transaction, and nothing changes.
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
});
