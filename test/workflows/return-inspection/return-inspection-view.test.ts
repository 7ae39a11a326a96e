import { expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import { decisionDueAtKey } from '../../../workflows/search-attributes.ts';
import { readableHistory } from '../../support/history.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  startCommand,
  startDue,
} from '../../support/returns/inspection.ts';
import { seededShipTo } from '../../support/returns/seed-returns.ts';

const silence = 'If there is no proposal by then, silence decides `AcceptedDefect`.';

test('shows the next step and its time, then the outcome', async ({ fixture }) => {
  const dueAt = async () =>
    (await fixture.run(request).describe()).typedSearchAttributes.get(decisionDueAtKey);
  const request = await fixture.received({ times: { startMs: 3_600_000, windowMs: 6000 } });
  const description = await fixture.run(request).describe();
  expect(await description.staticSummary()).toBe(`Return ${request.number}`);
  expect(await description.staticDetails()).toContain('Its window is 6 s');
  const startsAt = startDue(request).toISOString();
  expect(await fixture.details(request)).toBe(
    `**Received**\n\nAt ${startsAt} the inspection starts automatically.`,
  );
  expect(await dueAt()).toBeUndefined();

  expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true });
  const due = deadlineOf(await fixture.stored(request));
  expect(await fixture.details(request)).toBe(
    `**UnderInspection**\n\nAt ${due.toISOString()} the inspection window ends. ${silence}`,
  );
  expect(await dueAt()).toEqual(due);
  await fixture.untilSeen(request, 'InspectionAccepted');
  expect(await dueAt()).toBeUndefined();
  expect(await fixture.details(request)).toBe(
    '**InspectionAccepted**\n\n**AcceptedDefect**, by the customer’s claim, in silence.',
  );
});

test('names the instants of announcement and silence', async ({ fixture }) => {
  const closingMs = 1_800_000;
  const made = await fixture.underInspection(3_600_000, { times: { closingMs } });
  const end = deadlineOf(made);
  expect(await fixture.details(made)).toBe(
    `**UnderInspection**\n\nAt ${later(end, -closingMs).toISOString()} an event announces the end ` +
      `of the inspection window.\n\nAt ${end.toISOString()} the inspection window ends. ${silence}`,
  );
  await fixture.propose(made, 'AcceptedSound');
  await fixture.untilDetails(made, 'The vendor proposed `AcceptedSound`.');
  expect(await fixture.details(made)).toBe(
    '**UnderInspection**\n\nThe vendor proposed `AcceptedSound`.\n\n' +
      `At ${end.toISOString()} the inspection window ends.\n\n` +
      'The vendor can change the proposal until then. An operator decides.',
  );
});

test('shows a refused decision with its operator and code', async ({ fixture }) => {
  const request = await fixture.request();
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
  await fixture.addEvidence(request, { url });
  await fixture.propose(request, 'Rejected');
  await fixture.untilDetails(request, 'An operator must decide.');
  const repeated = { ...startCommand, reason: 'Started for a second time' };
  expect(await fixture.order(request, repeated)).toMatchObject({ ok: false });
  const command = decision('Rejected', 'The customer has opened the bottle');
  expect(await fixture.order(request, command)).toMatchObject({ ok: true });
  await fixture.staff(request, 'close', 'Sent back to the customer');
  await fixture.run(request).result();

  const history = await readableHistory(gateway.client, returnInspectionId(request.id));

  const { id, vendorId, number, orderId, lines } = request;
  const { operatorId } = fixture.operator;
  for (const known of [id, vendorId, operatorId, 'UnderInspection', number])
    expect(history).toContain(known);
  const texts = ['vendor.example.org', 'kept-secret', 'second time', 'opened the bottle'];
  const address = Object.values(seededShipTo).filter((text) => text !== null && text.length > 2);
  const skus = lines.map(({ sku }) => sku);
  for (const secret of [...texts, 'Sent back', orderId, ...skus, ...address])
    expect(history).not.toContain(secret);
});
