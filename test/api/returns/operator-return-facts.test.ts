import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newReturnFixture, succeeded } from './return-fixture.ts';

// What a decision on a return needs: what silence will decide, who decided, and the vendor's
// earlier returns.

const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

test('shows what silence decides and when, until a decision', async ({ gateway, fixture }) => {
  const read = async (id: string) => (await succeeded(fixture.staff('GET', `/${id}`))).payload;
  const onItsWay = await fixture.returnIn('InTransit');
  const none = { silenceOutcome: null, silenceAt: null };
  expect(await read(onItsWay)).toMatchObject({ ...none, decision: null });
  const open = await fixture.returnIn('UnderInspection', { reasonCodes: ['ChangedMind'] });
  const { inspection, ...facts } = (await read(open)) ?? {};
  const { inspectionWindowDeadline: silenceAt } = inspection as {
    inspectionWindowDeadline: string;
  };
  expect(facts).toMatchObject({ silenceOutcome: 'AcceptedSound', silenceAt, decision: null });
  const proposed = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  expect(await read(proposed)).toMatchObject({ silenceOutcome: 'AcceptedDefect' });
  await succeeded(fixture.addEvidence(proposed));
  await succeeded(fixture.propose(proposed, 'AcceptedSound'));
  expect(await read(proposed)).toMatchObject({ ...none, decision: null });
  const sorted = await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' });
  expect(await read(sorted)).toMatchObject(none);
  const decided = await fixture.returnIn('InspectionAccepted');
  expect(await read(decided)).toMatchObject({ ...none, decision: 'Operator' });
  await gateway.sql`update return_requests set decided_by = null where id = ${decided}`;
  expect(await read(decided)).toMatchObject({ decision: 'Silence', decidedBy: null });
});

test("counts the vendor's returns that were requested earlier", async ({ gateway, fixture }) => {
  await fixture.returnIn('InspectionAccepted');
  const silent = await fixture.returnIn('InspectionAccepted');
  await gateway.sql`
    update return_requests set decided_by = null, outcome = 'AcceptedDefect' where id = ${silent}`;
  await fixture.returnIn('InspectionRejected');
  await fixture.returnIn('InspectionRejected', { destination: 'SortingPoint' });
  await fixture.returnIn('Pending');
  const id = await fixture.returnIn('Pending');
  await fixture.returnIn('InspectionRejected');
  await (await newReturnFixture(gateway)).returnIn('InspectionRejected');
  expect((await succeeded(fixture.staff('GET', `/${id}`))).payload).toMatchObject({
    earlierReturns: {
      returns: 4,
      acceptedDefect: 1,
      acceptedSound: 1,
      rejected: 1,
      decidedBySilence: 1,
    },
  });
});
