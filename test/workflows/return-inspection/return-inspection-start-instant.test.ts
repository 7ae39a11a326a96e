import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { holdReturn } from '../../support/database/hold.ts';
import { decision, startCommand, startDue, untilPast } from '../../support/returns/inspection.ts';
import { returnMoves } from '../../support/returns/seed-returns.ts';
import { test, inTime, isBefore, settle } from './return-inspection-instant-fixture.ts';

describe.concurrent('staff and the timer starting an inspection at one instant', () => {
  test.for(['staff', 'timer'])('start it once: %s first', async (first, { gateway, fixture }) => {
    const { request, answer } = await inTime(1200, async (startMs) => {
      const given = await fixture.received({ times: { startMs } });
      const commandId = await fixture.note(given, startCommand);
      const held = await holdReturn(gateway.sql, given.id);
      let isLate = !isBefore(startDue(given));
      if (first === 'timer' && !isLate) await held.untilWaiting(1);
      const sending = fixture.send(given, startCommand, commandId);
      if (first === 'staff') {
        await held.untilWaiting(1);
        isLate ||= !isBefore(startDue(given));
      }
      await untilPast(startDue(given));
      await held.letGo();
      const sent = await sending;
      return isLate ? null : { request: given, answer: sent };
    });

    const refused = { failure: { code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION' } };
    expect(answer).toMatchObject(first === 'staff' ? { ok: true } : refused);
    const moves = await returnMoves(gateway.sql, request);
    expect(moves.filter((move) => move.startsWith('Received'))).toHaveLength(1);
    expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
    await settle(gateway, fixture, request);
    await fixture.record(request, `start-at-once-${first}-first`);
  });

  test('start it once, in either order', async ({ gateway, fixture }) => {
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const { request, received, answer } = await inTime(1200, async (startMs) => {
        const given = await fixture.request({ times: { startMs } });
        const moved = await fixture.moveTo(given, 'Received');
        const commandId = await fixture.note(given, startCommand);
        const instant = later(startDue(moved), round * 3 - 15);
        if (!isBefore(instant)) return null;
        await untilPast(instant);
        const sent = await fixture.send(given, startCommand, commandId);
        return { request: given, received: moved, answer: sent };
      });

      const started = await fixture.untilStored(request, 'UnderInspection');
      if (!answer.ok)
        expect(answer.failure.code).toBe('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION');
      expect(started.version).toBe(received.version + 1);
      expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
      await settle(gateway, fixture, request);
    });
    await Promise.all(rounds);
  });
});
