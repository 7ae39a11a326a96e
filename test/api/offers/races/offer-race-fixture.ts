import { raceRounds } from '../../../support/race-rounds.ts';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { succeeded } from '../../../support/api/api.ts';
import type { Sql } from '../../../../db/core/client.ts';
import type { Offer } from '../../../../domain/offers/offer.ts';
import type { ApiResponse } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import {
  approvedOffer,
  everythingOf,
  newParties,
  submitOffer,
  type Parties,
} from '../offer-record.ts';

const chunk = 10;

/**
 * Polls until `isOver` for a committed state that no order of calls allows, and returns its rows.
 */
async function watch(sql: Sql, test: { readonly isOver: boolean }): Promise<readonly unknown[]> {
  while (!test.isOver) {
    const impossible = await sql`
      select offers.id, status, is_paused, stock_quantity, declared_stock_quantity, net, cost_net
      from offers left join supply_options on supply_options.offer_id = offers.id
      where (not is_paused and status not in ('Approved', 'PendingReview'))
        or (status = 'Approved' and is_paused is distinct from false)
        or (is_paused is not null and (stock_quantity, in_stock)
          is distinct from (declared_stock_quantity, declared_in_stock))`;
    if (impossible.length > 0) return impossible;
    await setTimeout(5);
  }
  return [];
}

/** Waits `ms` milliseconds with the precision of the event loop, finer than a timer's. */
async function after(ms: number): Promise<void> {
  const due = performance.now() + ms;
  if (ms > 3) await setTimeout(ms - 3);
  while (performance.now() < due) await setImmediate();
}

/** One of the calls that meet. */
export type Racer<T> = (parties: Parties, subject: T, round: number) => Promise<ApiResponse>;
export type SetUp<TSubject> = (parties: Parties, round: number) => Promise<TSubject>;

/**
 * Runs rounds of calls that start together. The second and later calls start a little
 * before or after the first, by another few hundred microseconds in each round.
 */
export async function race<TSubject>(
  parties: Parties,
  setUp: SetUp<TSubject>,
  racers: readonly Racer<TSubject>[],
): Promise<readonly { readonly subject: TSubject; readonly responses: readonly ApiResponse[] }[]> {
  const outcomes: { subject: TSubject; responses: readonly ApiResponse[] }[] = [];
  for (let first = 0; first < raceRounds; first += chunk) {
    const length = Math.min(chunk, raceRounds - first);
    const numbers = Array.from({ length }, (_, index) => first + index);
    const subjects = await Promise.all(numbers.map((round) => setUp(parties, round)));
    for (const [index, subject] of subjects.entries()) {
      const round = first + index;
      const lead = ((round % 25) - 5) * 0.4;
      const responses = await Promise.all(
        racers.map(async (racer, position) => {
          const isFirst = position === 0;
          const laterBy = Math.max(0, lead) * (position / (racers.length - 1));
          await after(isFirst ? Math.max(0, -lead) : laterBy);
          return racer(parties, subject, round);
        }),
      );
      for (const response of responses) expect(response.status, response.text).toBeLessThan(500);
      outcomes.push({ subject, responses });
    }
  }
  return outcomes;
}

export const newCost = { cost: 150, costIsVatInclusive: false };

export const decide =
  (path: string, body: Readonly<Record<string, unknown>> = {}): Racer<string> =>
  (parties, id) =>
    parties.by('Reviewer', 'POST', `/offers/${id}/${path}`, body);
export const approve = decide('approve');
export const reject = decide('reject', { reason: 'No.' });
export const suspend = decide('suspend', { reason: 'Recall.' });
export const apply = decide('pending-price/apply');
export const patch =
  (body: Readonly<Record<string, unknown>>, path = ''): Racer<string> =>
  (parties, id) =>
    parties.byVendor('PATCH', `/${id}${path}`, body);
export const withdraw: Racer<string> = (parties, id) => parties.byVendor('POST', `/${id}/withdraw`);
export const pushStock = (declaredStockQuantity: number): Racer<string> =>
  patch({ declaredInStock: true, declaredStockQuantity }, '/stock');

export const inReview: SetUp<string> = (parties) =>
  submitOffer(parties, { declaredStockQuantity: 3 });
export const live: SetUp<string> = (parties) =>
  approvedOffer(parties, { declaredStockQuantity: 3 });
/** Approved once and in review again, so that it sells. */
export const inReviewAgain: SetUp<string> = async (parties, round) => {
  const id = await live(parties, round);
  succeeded(await patch({ vendorSku: 'FIRST' })(parties, id, round));
  return id;
};
export const liveWithStagedPrice: SetUp<string> = async (parties, round) => {
  const id = await live(parties, round);
  succeeded(await patch(newCost)(parties, id, round));
  return id;
};

/**
 * Gives each test a record without offers, and fails it when the database ever shows an impossible
 * state.
 */
export const raceTest = gatewayTest
  .extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway))
  .extend('watched', { auto: true }, async ({ gateway: { sql } }, { onCleanup }) => {
    await sql`truncate offers, outbox, webhook_events, audit_log cascade`;
    const test = { isOver: false };
    const watching = watch(sql, test);
    onCleanup(async () => {
      test.isOver = true;
      expect(await watching).toEqual([]);
    });
  });

type OfferRow = Pick<
  Offer,
  | 'id'
  | 'status'
  | 'version'
  | 'vendorSku'
  | 'vendorExternalId'
  | 'declaredStockQuantity'
  | 'declaredInStock'
  | 'awaitingSince'
> & { readonly costNet: number; readonly pendingCostNet: number | null };

/** Reads what the record holds of these offers, in their order. */
export const readStoredOffers = (sql: Sql, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { row, option = null, statusChanges, audit, events } = await everythingOf(sql, id);
      return {
        ...(row as OfferRow),
        option,
        /** Every status in order: `PendingReview > Approved`. */
        statuses: statusChanges.map(({ toStatus }) => toStatus).join(' > '),
        froms: statusChanges.map(({ fromStatus }) => fromStatus),
        audit,
        events,
      };
    }),
  );

type StoredOffer = Awaited<ReturnType<typeof readStoredOffers>>[number];

const decisionOfAction: Readonly<Record<string, string>> = {
  'offer.approve': 'Approved',
  'offer.reject': 'Rejected',
  'offer.applyPrice': 'PriceApplied',
  'offer.discardPrice': 'PriceDiscarded',
  'offer.returnToReview': 'ReturnedToReview',
};

/**
 * Checks what holds after any order of calls: the history is one chain to the status, each
 * operator's command has an audit entry, each decision has an event, the version counts the
 * changes, and the supply option agrees with the offer.
 */
export function expectSound(offer: StoredOffer, changes: number, operatorCommands: number): void {
  const steps = offer.statuses.split(' > ');
  expect(offer.froms).toEqual([null, ...steps.slice(0, -1)]);
  expect(steps.at(-1)).toBe(offer.status);
  expect(offer.version).toBe(1 + changes);
  expect(offer.audit).toHaveLength(operatorCommands);
  for (const { before, after } of offer.audit) {
    expect(after?.['version']).toBe(Number(before?.['version']) + 1);
  }
  expect(new Set(offer.audit.map(({ after }) => after?.['version'])).size).toBe(operatorCommands);
  const decisions = offer.audit.flatMap(({ action }) => decisionOfAction[action] ?? []);
  expect(offer.events.map(({ decision }) => decision)).toEqual(decisions);

  const isLive = offer.option !== null && !offer.option.isPaused;
  expect(isLive ? ['Approved', 'PendingReview'] : [offer.status]).toContain(offer.status);
  expect(offer.status === 'Approved' ? isLive : true).toBe(true);
  if (offer.option !== null) {
    expect(offer.option).toMatchObject({
      stockQuantity: offer.declaredStockQuantity,
      inStock: offer.declaredInStock,
      net: offer.costNet,
    });
  }
  expect(offer.awaitingSince !== null).toBe(
    ['PendingMatch', 'PendingReview'].includes(offer.status) ||
      (offer.status === 'Approved' && offer.pendingCostNet !== null),
  );
}
