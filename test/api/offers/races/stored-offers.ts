import { expect } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import type { Offer } from '../../../../domain/offers/offer.ts';
import type { AuditRow, EventData, OptionRow } from '../offer-record.ts';

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
export async function readStoredOffers(sql: Sql, ids: readonly string[]) {
  const offers = await sql<OfferRow[]>`select * from offers where id = any(${[...ids]})`;
  const options = await sql<(OptionRow & { offerId: string })[]>`
    select * from supply_options where offer_id = any(${[...ids]})`;
  const changes = await sql<{ offerId: string; fromStatus: string | null; toStatus: string }[]>`
    select offer_id, from_status, to_status from offer_status_changes
    where offer_id = any(${[...ids]}) order by id`;
  const audit = await sql<(AuditRow & { subjectId: string })[]>`
    select * from audit_log where subject_id = any(${[...ids]}) order by id`;
  const events = (await sql<{ body: string }[]>`select body from webhook_events order by id`).map(
    ({ body }) => (JSON.parse(body) as { data: EventData }).data,
  );
  return ids.map((id) => {
    const offer = offers.find((row) => row.id === id);
    if (offer === undefined) throw new Error(`no offer ${id}`);
    const own = changes.filter(({ offerId }) => offerId === id);
    return {
      ...offer,
      option: options.find(({ offerId }) => offerId === id) ?? null,
      /** Every status in order: `PendingReview > Approved`. */
      statuses: own.map(({ toStatus }) => toStatus).join(' > '),
      froms: own.map(({ fromStatus }) => fromStatus),
      audit: audit.filter(({ subjectId }) => subjectId === id),
      events: events.filter(({ offerId }) => offerId === id),
    };
  });
}

export type StoredOffer = Awaited<ReturnType<typeof readStoredOffers>>[number];

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
