import { expect, vi } from 'vitest';
import { freshSchedule, waiting } from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { holding, notForAWhile, status } from '../../support/webhooks/receiver.ts';

const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
});

test.for([
  ['deactivated', ['switchOff']],
  ['reactivated', ['switchOff', 'switchOn']],
  ['deleted', ['remove']],
] as const)(
  'a delivery that waits ends at once when its subscription is %s',
  async ([name, changes], { receiver, fixture }) => {
    receiver.answerWith(notForAWhile);
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    receiver.answerWith(status(200));
    for (const change of changes) await fixture[change]();

    // The record ended it at once; the run follows without a request, and its timer is no more.
    expect(await fixture.stored(delivery.id)).toMatchObject({ state: 'cancelled', attempts: 2 });
    const texts = ['1 http_status 503', '2 subscription_inactive'];
    expect(await fixture.attemptTexts()).toEqual(texts);
    const unsent = { succeeded: false, sentAt: null, httpStatus: null };
    expect((await fixture.attempts()).at(-1)).toMatchObject(unsent);
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
    expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: false, isCanceled: true }]);
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    await fixture.record(delivery, `${name}-while-waiting`);
  },
);

// `test/db/webhooks/delivery-table.test.ts` has the same of a request of the relay.
test.for([
  ['failed', 500, 'cancelled', ['1 http_status 500', '2 subscription_inactive']],
  ['succeeded', 200, 'succeeded', ['1 succeeded']],
] as const)(
  'a request under way at the deactivation that %s by %i leaves it %s',
  async ([name, code, state, texts], { receiver, fixture }) => {
    const { held, answer, giveAll } = holding();
    receiver.answerWith(answer);
    const emitted = await fixture.emitUnsent();
    await fixture.hand(emitted.id, freshSchedule);
    await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
    expect(await fixture.switchOff()).toBe('done');
    expect(await fixture.attemptTexts()).toEqual(['1 under way']);
    giveAll(code);

    const delivery = await fixture.ended(emitted);
    expect(delivery).toMatchObject({ state, attempts: texts.length });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    expect((await fixture.timers(delivery)).filter(({ hasFired }) => !hasFired)).toEqual([]);
    await fixture.record(delivery, `deactivated-then-${name}`);
  },
);
