import { expect, vi } from 'vitest';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import { decisionDueAtKey } from '../../../workflows/search-attributes.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { readableHistory } from '../../support/history.ts';
import {
  deadlineOf,
  decision,
  startCommand,
  startDue,
  waiting,
  type InspectionFixture,
  inspectionTest as test,
} from '../../support/returns/inspection.ts';
import {
  addSeededEvidence,
  moveAsStaff,
  moveReturnTo,
  proposeAsVendor,
  seededShipTo,
  storedReturn,
} from '../../support/returns/seed-returns.ts';
import { seedVendor } from '../../support/seeds/seed.ts';

const dueAt = async (
  fixture: InspectionFixture,
  request: ReturnRequest,
): Promise<Date | undefined> =>
  (await fixture.run(request).describe()).typedSearchAttributes.get(decisionDueAtKey);

/** The runs that the Temporal UI lists for a filter; it may take a moment to hear of a change. */
const untilListed = (
  gateway: TestGateway,
  filter: string,
  requests: readonly ReturnRequest[],
): Promise<void> =>
  vi.waitFor(async () => {
    const found: string[] = [];
    const query = `WorkflowType = 'returnInspection' and ${filter}`;
    for await (const { workflowId } of gateway.client.workflow.list({ query }))
      found.push(workflowId);
    expect(found).toEqual(requests.map(({ id }) => returnInspectionId(id)));
  }, waiting);

test('finds runs by vendor, status and time of the decision', async ({ gateway, fixture }) => {
  const vendorId = await seedVendor(gateway.sql);
  const request = await fixture.request({ vendorId, times: { windowMs: 3_600_000 } });
  await fixture.untilSeen(request, 'Pending');
  expect(await dueAt(fixture, request)).toBeUndefined();
  for (const status of ['Approved', 'InTransit', 'Received'] as const) {
    await moveReturnTo(gateway.sql, await storedReturn(gateway.sql, request), status);
    await fixture.untilSeen(request, status);
    expect(await dueAt(fixture, request)).toBeUndefined();
  }
  const ofVendor = `VendorId = '${vendorId}'`;
  await untilListed(gateway, `${ofVendor} and ReturnState = 'Received' and DecisionDueAt is null`, [
    request,
  ]);

  expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true });
  const deadline = deadlineOf(await storedReturn(gateway.sql, request));
  expect(await dueAt(fixture, request)).toEqual(deadline);
  // The embedded server compares instants as texts, without zeros at the end of the fraction.
  const wholeSecond = `${later(deadline, 1000).toISOString().slice(0, 19)}Z`;
  await untilListed(gateway, `${ofVendor} and DecisionDueAt <= '${wholeSecond}'`, [request]);

  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.untilSeen(request, 'InspectionAccepted');
  expect(await dueAt(fixture, request)).toBeUndefined();
  await untilListed(gateway, `${ofVendor} and DecisionDueAt is not null`, []);
  await untilListed(gateway, `${ofVendor} and ReturnState = 'InspectionAccepted'`, [request]);
});

test('shows the next step and its time, then the operator', async ({ gateway, fixture }) => {
  const made = await fixture.request({ times: { startMs: 3_600_000, windowMs: 6000 } });
  const request = await moveReturnTo(gateway.sql, made, 'Received');
  await fixture.untilSeen(request, 'Received');
  const description = await fixture.run(request).describe();
  expect(await description.staticSummary()).toBe(`Return ${request.number}`);
  expect(await description.staticDetails()).toContain('Its window is 6 s');
  expect(await fixture.details(request)).toBe(
    `**Received**\n\nAt ${startDue(request).toISOString()} the inspection starts automatically.`,
  );

  expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true });
  const due = deadlineOf(await storedReturn(gateway.sql, request)).toISOString();
  expect(await fixture.details(request)).toBe(
    `**UnderInspection**\n\nAt ${due} the inspection window ends. ` +
      'If there is no proposal by then, silence decides `AcceptedDefect`.',
  );
  await fixture.untilSeen(request, 'InspectionAccepted');
  expect(await dueAt(fixture, request)).toBeUndefined();
  expect(await fixture.details(request)).toBe(
    '**InspectionAccepted**\n\n**AcceptedDefect**, by the customer’s claim, in silence.',
  );
});

test('names the instants of announcement and silence', async ({ gateway, fixture }) => {
  const times = { windowMs: 3_600_000, closingMs: 1_800_000 };
  const made = await fixture.request({ times });
  await moveReturnTo(gateway.sql, made, 'Received');
  expect(await fixture.order(made, startCommand)).toMatchObject({ ok: true });
  const end = deadlineOf(await storedReturn(gateway.sql, made));
  const announcement = later(end, -times.closingMs);
  expect(await fixture.details(made)).toBe(
    `**UnderInspection**\n\nAt ${announcement.toISOString()} an event announces the end of the ` +
      `inspection window.\n\nAt ${end.toISOString()} the inspection window ends. ` +
      'If there is no proposal by then, silence decides `AcceptedDefect`.',
  );
  await addSeededEvidence(gateway.sql, made);
  await proposeAsVendor(gateway.sql, made, 'AcceptedSound');
  await fixture.untilDetails(made, 'The vendor proposed `AcceptedSound`.');
  expect(await fixture.details(made)).toBe(
    '**UnderInspection**\n\nThe vendor proposed `AcceptedSound`.\n\n' +
      `At ${end.toISOString()} the inspection window ends.\n\n` +
      'The vendor can change the proposal until then. An operator decides.',
  );
});

test('says of a sorting point that nothing happens by time', async ({ fixture }) => {
  const request = await fixture.request({ destination: 'SortingPoint' });
  await fixture.untilSeen(request, 'Pending');
  const details = await (await fixture.run(request).describe()).staticDetails();
  expect(details).toContain('nothing happens by time');
  expect(details).not.toContain('starts automatically');
});

test('shows a refused decision with its operator and code', async ({ fixture }) => {
  const request = await fixture.request({});
  await fixture.untilSeen(request, 'Pending');
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  expect(await fixture.details(request)).toContain(
    `Refused: **decide** by operator \`${fixture.operator.operatorId}\` ` +
      '(`BUSINESS_RETURN_REQUEST_INVALID_TRANSITION`).',
  );
});

test('writes only ids, states and instants into a history', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  const url = 'https://vendor.example.org/private/photo-of-a-bottle.jpg?key=kept-secret';
  await addSeededEvidence(gateway.sql, request, { url, kind: 'Photo' });
  await proposeAsVendor(gateway.sql, request, 'Rejected');
  await fixture.untilDetails(request, 'An operator must decide.');
  // A refusal, a repetition and the moves around it say no more.
  expect(
    await fixture.order(request, { ...startCommand, reason: 'Started for a second time' }),
  ).toMatchObject({
    ok: false,
  });
  const answer = await fixture.order(
    request,
    decision('Rejected', 'The customer has opened the bottle'),
  );
  expect(answer).toMatchObject({ ok: true });
  await moveAsStaff(gateway.sql, request, 'close', 'Sent back to the customer');
  await fixture.run(request).result();

  const history = await readableHistory(gateway.client, returnInspectionId(request.id));

  for (const known of [
    request.id,
    request.vendorId,
    fixture.operator.operatorId,
    'UnderInspection',
    request.number,
  ]) {
    expect(history).toContain(known);
  }
  const secrets = [
    'vendor.example.org',
    'kept-secret',
    'photo-of-a-bottle',
    'second time',
    'opened the bottle',
    'Sent back',
    request.orderId,
    ...request.lines.map(({ sku }) => sku),
    ...Object.values(seededShipTo).filter((text) => text !== null && text.length > 2),
  ];
  for (const secret of secrets) expect(history).not.toContain(secret);
});

test('a run that begins after the decision still says who decided', async ({ fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.end(request);

  await fixture.lateMessage(request);
  await fixture.run(request).result();

  expect(await fixture.details(request)).toContain(
    `by operator \`${fixture.operator.operatorId}\``,
  );
});
