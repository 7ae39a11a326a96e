import { describe, expect } from 'vitest';
import { returnRecord, storedReturn, succeeded } from '../api/returns/return-fixture.ts';
import { raceTrack, receivedWithPhoto, until } from '../api/returns/races/return-races.ts';
import { unknownId, type Gateway } from '../api/support/api.ts';
import { test, refusedWith } from './return-inspection-fixture.ts';

const windowEnd = async (gateway: Gateway, id: string) =>
  until(Number((await storedReturn(gateway, id)).inspectionDeadline));

describe('the passing of time', () => {
  test('changes nothing before anything is due', async ({ gateway, track, activities }) => {
    for (const status of ['Pending', 'Received', 'UnderInspection', 'Closed'] as const) {
      const returnId = await track.returnIn(status);
      const before = await returnRecord(gateway, returnId);
      const state = await activities.readReturnState({ returnId });
      expect(await activities.applyDueTransition({ returnId })).toStrictEqual(state);
      expect(await returnRecord(gateway, returnId)).toBe(before);
    }
  });

  test('starts a due inspection once', async ({ gateway, activities }) => {
    const due = await raceTrack(gateway.sql, { startMs: 1 });
    const returnId = await due.returnIn('Received');
    await until(Number((await storedReturn(gateway, returnId)).receivedAt) + 1);
    const first = await activities.applyDueTransition({ returnId });
    expect(first).toMatchObject({
      status: 'UnderInspection',
      version: 5,
      due: { step: 'endWindow' },
    });
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
    expect(await returnRecord(gateway, returnId)).toBe(before);
    const { payload } = await due.staff('GET', `/${returnId}`);
    const { history } = payload as { history: readonly object[] };
    expect(history.at(-1)).toMatchObject({ to: 'UnderInspection', reason: 'Time has passed.' });
    expect((await storedReturn(gateway, returnId)).audit).not.toContain('return.startInspection');
  });

  test.for([
    [['Defective'], 'AcceptedDefect'],
    [['ChangedMind'], 'AcceptedSound'],
  ] as const)(
    'decides, in silence, what %j claims: %s, once',
    async ([reasonCodes, outcome], { gateway, activities }) => {
      const ended = await raceTrack(gateway.sql, { windowMs: 1 });
      const returnId = await ended.returnIn('UnderInspection', { reasonCodes });
      await windowEnd(gateway, returnId);
      const first = await activities.applyDueTransition({ returnId });
      expect(first).toMatchObject({
        status: 'InspectionAccepted',
        outcome,
        due: null,
        decisionDueAt: null,
      });
      const before = await returnRecord(gateway, returnId);
      expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
      expect(await returnRecord(gateway, returnId)).toBe(before);
      expect((await ended.staff('GET', `/${returnId}`)).payload).toMatchObject({ decidedBy: null });
      expect((await ended.send('GET', `/${returnId}`)).payload).toMatchObject({
        inspection: { outcome },
      });
    },
  );

  test('asks for staff, once, when there is a proposal', async ({ gateway, activities }) => {
    const ended = await raceTrack(gateway.sql);
    const returnId = await receivedWithPhoto(ended);
    await succeeded(ended.staff('POST', `/${returnId}/start-inspection`, {}));
    await succeeded(ended.propose(returnId, 'AcceptedDefect'));
    // A proposal comes before the deadline (D81); after it, the window ends at once.
    await gateway.sql`
      update return_requests set inspection_deadline = clock_timestamp() where id = ${returnId}`;
    await windowEnd(gateway, returnId);
    const first = await activities.applyDueTransition({ returnId });
    expect(first).toMatchObject({
      status: 'UnderInspection',
      outcome: null,
      requiresStaffReview: true,
      due: null,
    });
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
    expect(await returnRecord(gateway, returnId)).toBe(before);
  });

  test('does nothing at a sorting point', async ({ gateway, activities }) => {
    const ended = await raceTrack(gateway.sql, { windowMs: 1 });
    const returnId = await ended.returnIn('UnderInspection', { destination: 'SortingPoint' });
    await windowEnd(gateway, returnId);
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toMatchObject({
      status: 'UnderInspection',
      due: null,
    });
    expect(await returnRecord(gateway, returnId)).toBe(before);
  });

  test('of an unknown return is refused', async ({ activities }) => {
    const passed = activities.applyDueTransition({ returnId: unknownId() });
    expect(await refusedWith(passed)).toEqual(['NOT_FOUND_RETURN_REQUEST', {}]);
  });
});
